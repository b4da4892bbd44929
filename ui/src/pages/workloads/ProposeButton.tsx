// Opens the dialog in which a person proposes a move.
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import type { Workload } from '../../api/types';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { ProposeDialog } from './ProposeDialog';

export function ProposeButton({ workload }: { workload: Workload }) {
  const [open, setOpen] = useState(false);
  const blocked = useWriteBlock('propose');
  const because =
    blocked ??
    (!workload.movable
      ? 'It may not be moved to another cluster.'
      : workload.moving
        ? 'It is on its way already.'
        : workload.placements.length === 0
          ? 'It runs nowhere.'
          : null);
  return (
    <>
      <Button
        icon={<ArrowLeftRight size={14} aria-hidden="true" />}
        disabledBecause={because}
        onClick={() => setOpen(true)}
      >
        Propose a move…
      </Button>
      {open && <ProposeDialog workload={workload} onClose={() => setOpen(false)} />}
    </>
  );
}
