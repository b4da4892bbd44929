// Opens the freeze dialog for one thing.
import { Snowflake } from 'lucide-react';
import { useState } from 'react';
import type { FreezeWish } from '../api/types';
import { Button } from '../ui/Button';
import { FreezeDialog } from './shell/FreezeDialog';
import { useWriteBlock } from './useWriteBlock';

interface Props {
  scope: FreezeWish['scope'];
  name: string;
}

export function FreezeButton({ scope, name }: Props) {
  const [open, setOpen] = useState(false);
  const blocked = useWriteBlock('steer');
  return (
    <>
      <Button
        icon={<Snowflake size={14} aria-hidden="true" />}
        disabledBecause={blocked}
        onClick={() => setOpen(true)}
      >
        Freeze this {scope}…
      </Button>
      {open && <FreezeDialog initial={{ scope, name }} onClose={() => setOpen(false)} />}
    </>
  );
}
