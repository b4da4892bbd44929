// Letting something go on. Needs an admin and a reason.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { liftFreeze } from '../../api/commands';
import type { Freeze } from '../../api/types';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { commandLine } from '../../util/shell';
import { CommandLine } from '../CommandLine';
import { ErrorNotice } from '../ErrorNotice';
import { useKey } from '../useKey';
import { useWriteBlock } from '../useWriteBlock';

export function LiftDialog({ freeze, onClose }: { freeze: Freeze; onClose: () => void }) {
  const { key, renewAfter } = useKey();
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const lift = useMutation({
    mutationFn: () => liftFreeze(freeze.id, reason.trim(), key),
    onSuccess: () => {
      void client.invalidateQueries();
      showToast({ tone: 'good', title: `${freeze.id} is lifted` });
      onClose();
    },
    onError: renewAfter,
  });
  return (
    <Dialog
      title={`Lift ${freeze.id}`}
      note={blocked}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={lift.isPending}
            disabledBecause={blocked ?? (reason.trim() ? null : 'Say why; everybody sees it.')}
            onClick={() => lift.mutate()}
          >
            Let it go on
          </Button>
        </>
      }
    >
      <p>
        {freeze.by} froze{' '}
        {freeze.scope === 'everything' ? 'everything' : `${freeze.scope} ${freeze.name ?? ''}`}: “
        {freeze.reason}”. What was granted to rules there goes back to people.
      </p>
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      {lift.error && <ErrorNotice error={lift.error} />}
      <CommandLine command={commandLine('drover', 'unfreeze', freeze.id, '--reason', reason.trim() || '…')} />
    </Dialog>
  );
}
