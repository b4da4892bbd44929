// Says who answers for an agent. More freedom comes with limits.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setMode } from '../../api/commands';
import { modesQuery } from '../../api/queries';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { ModeLimits } from './ModeLimits';
import { MODES, modeOf, modeTitle } from './modes';
import { missingIn, modeCommand, modeWish, type Written } from './modeWish';
import css from './ModeDialog.module.css';

const BLANK: Written = {
  mode: 'human',
  reason: '',
  highestRisk: 'low',
  replicas: '',
  perHour: '',
  period: '',
};

export function ModeDialog({ agent, onClose }: { agent: string; onClose: () => void }) {
  const { data: modes } = useQuery(modesQuery);
  const now = modes ? modeOf(agent, modes) : null;
  const [written, setWritten] = useState<Written>(() => ({
    ...BLANK,
    mode: MODES.find(({ name }) => name === now?.mode)?.name ?? 'human',
  }));
  const blocked = useWriteBlock('administer');
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => setMode(modeWish(agent, written)),
    onSuccess: (answer) => {
      client.setQueryData(modesQuery.queryKey, answer);
      void client.invalidateQueries();
      const { mode } = modeOf(agent, answer);
      showToast({
        tone: 'good',
        title: `${agent}: ${modeTitle(mode)}`,
        detail:
          mode === written.mode
            ? undefined
            : 'Another setting is more careful and holds as long as it stays.',
      });
      onClose();
    },
  });
  const change = (part: Partial<Written>) => setWritten((old) => ({ ...old, ...part }));
  const refusal = blocked ?? missingIn(written);
  return (
    <Dialog
      title={`Who answers for ${agent}`}
      note={refusal}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={written.mode === 'auto' ? 'danger' : 'primary'}
            busy={send.isPending}
            disabledBecause={refusal}
            onClick={() => send.mutate()}
          >
            Set mode
          </Button>
        </>
      }
    >
      <fieldset className={css.modes}>
        <legend className="visually-hidden">Mode</legend>
        {MODES.map(({ name, title, says }) => (
          <label key={name} className={css.mode}>
            <input
              type="radio"
              name="mode"
              checked={written.mode === name}
              onChange={() => change({ mode: name })}
            />
            <span>
              <b>{title}</b>
              {now?.mode === name && <span className={css.now}> now</span>}
              <span className={css.says}>{says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {written.mode === 'auto' && <ModeLimits written={written} onChange={change} />}
      <TextField
        label="Why"
        value={written.reason}
        onChange={(event) => change({ reason: event.target.value })}
      />
      {send.error && <ErrorNotice error={send.error} />}
      <CommandLine command={modeCommand(agent, written)} />
    </Dialog>
  );
}
