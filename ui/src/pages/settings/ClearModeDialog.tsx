// Taking back who answers in a part; what holds without it holds again.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clearMode, modesQuery, type Mode, type ModePlace } from '../../api/administration';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { clearCommand, isFreer, placeKey, whereOf } from './modes';

export function ClearModeDialog({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const { data: modes } = useQuery(modesQuery);
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const place = mode as ModePlace;
  const whose = mode.agent ?? 'everybody';
  const clear = useMutation({
    mutationFn: () => clearMode(place, reason.trim()),
    onSuccess: (answer) => {
      client.setQueryData(modesQuery.queryKey, answer);
      void client.invalidateQueries();
      showToast({ tone: 'good', title: `${mode.mode} is taken back for ${whose} in ${whereOf(mode)}` });
      onClose();
    },
  });
  const missing = reason.trim() ? null : 'Say why; everybody sees it.';
  const others = modes?.settings.filter((one) => placeKey(one) !== placeKey(mode)) ?? [];
  const remaining = modes ? [modes.otherwise, ...others.map((one) => one.mode)] : [];
  const freer = remaining.some((one) => isFreer(one, mode.mode));
  return (
    <Dialog
      title={`Take back ${mode.mode}`}
      onClose={onClose}
      note={blocked ?? missing}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={freer ? 'danger' : 'primary'}
            busy={clear.isPending}
            disabledBecause={blocked ?? missing}
            onClick={() => clear.mutate()}
          >
            Take back {mode.mode}
          </Button>
        </>
      }
    >
      <p>
        For <b>{whose}</b> in <b>{whereOf(mode)}</b>, what holds without this setting holds again: another
        setting that fits, the most careful first, or else <b>{modes?.otherwise ?? 'what holds otherwise'}</b>
        {freer && '. That may leave more to agents than now'}.
      </p>
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      {clear.error && <ErrorNotice error={clear.error} />}
      <CommandLine command={clearCommand(place, reason.trim())} />
    </Dialog>
  );
}
