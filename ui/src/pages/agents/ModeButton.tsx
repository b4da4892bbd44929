// Opens the dialog that says who answers for an agent.
import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { ModeDialog } from './ModeDialog';

export function ModeButton({ agent }: { agent: string }) {
  const [open, setOpen] = useState(false);
  const blocked = useWriteBlock('administer');
  return (
    <>
      <Button
        icon={<UserCheck size={14} aria-hidden="true" />}
        disabledBecause={blocked}
        onClick={() => setOpen(true)}
      >
        Set mode…
      </Button>
      {open && <ModeDialog agent={agent} onClose={() => setOpen(false)} />}
    </>
  );
}
