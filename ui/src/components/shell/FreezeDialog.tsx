// Stopping: everything, or a part of it. Quick to do, and everybody sees who did it and why.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { freeze } from '../../api/commands';
import { agentsQuery, clustersQuery, executionsQuery } from '../../api/queries';
import type { FreezeWish } from '../../api/types';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { SelectField, TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { periodSeconds } from '../../util/period';
import { commandLine } from '../../util/shell';
import { CommandLine } from '../CommandLine';
import { ErrorNotice } from '../ErrorNotice';
import { useKey } from '../useKey';
import { useWriteBlock } from '../useWriteBlock';
import css from './FreezeDialog.module.css';

const SCOPES: { scope: FreezeWish['scope']; title: string }[] = [
  { scope: 'everything', title: 'Everything' },
  { scope: 'cluster', title: 'A cluster' },
  { scope: 'namespace', title: 'A namespace' },
  { scope: 'workload', title: 'A workload' },
  { scope: 'agent', title: 'An agent' },
];

interface Props {
  /** What the dialog was opened for, if for something. */
  initial?: { scope: FreezeWish['scope']; name: string };
  onClose: () => void;
}

export function FreezeDialog({ initial, onClose }: Props) {
  const { key, renewAfter } = useKey();
  const [scope, setScope] = useState<FreezeWish['scope']>(initial?.scope ?? 'everything');
  const [name, setName] = useState(initial?.name ?? '');
  const [reason, setReason] = useState('');
  const [period, setPeriod] = useState('');
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: executions } = useQuery(executionsQuery);
  const client = useQueryClient();
  const blocked = useWriteBlock('decide');
  const seconds = period.trim() ? periodSeconds(period) : undefined;
  const underWay = executions?.items.filter((item) => ['approved', 'applying'].includes(item.stage)) ?? [];
  const names =
    scope === 'cluster'
      ? clusters.map((cluster) => cluster.name)
      : scope === 'agent'
        ? agents.map((agent) => agent.name)
        : [];
  const stop = useMutation({
    mutationFn: () =>
      freeze(
        {
          scope,
          reason: reason.trim(),
          name: scope === 'everything' ? null : name.trim(),
          seconds: seconds ?? null,
        },
        key,
      ),
    onSuccess: (set) => {
      void client.invalidateQueries();
      showToast({
        tone: 'good',
        title: `Frozen: ${set.scope === 'everything' ? 'everything' : set.name}`,
        detail: `${set.id}; an admin can lift it.`,
      });
      onClose();
    },
    onError: renewAfter,
  });
  const missing =
    scope !== 'everything' && !name.trim()
      ? 'Say which.'
      : !reason.trim()
        ? 'Say why; everybody sees it.'
        : seconds === null
          ? 'Write the period like 30m or 2h.'
          : null;
  const command = commandLine(
    'drover',
    'freeze',
    scope === 'everything' ? '--all' : `--${scope}`,
    scope === 'everything' ? null : name.trim() || '…',
    '--reason',
    reason.trim() || '…',
    period.trim() && '--for',
    period.trim(),
  );
  return (
    <Dialog
      title="Freeze"
      note={blocked ?? missing}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            busy={stop.isPending}
            disabledBecause={blocked ?? missing}
            onClick={() => stop.mutate()}
          >
            {scope === 'everything' ? 'Freeze everything' : `Freeze ${scope}`}
          </Button>
        </>
      }
    >
      <p className={css.note}>
        Nothing new is begun there until it is lifted, which needs an admin. What is under way
        {underWay.length > 0 ? ` (${underWay.map((item) => item.id).join(', ')})` : ''} comes to its end; it
        can be aborted on its own page.
      </p>
      <SelectField
        label="What"
        value={scope}
        onChange={(event) => setScope(event.target.value as FreezeWish['scope'])}
      >
        {SCOPES.map((option) => (
          <option key={option.scope} value={option.scope}>
            {option.title}
          </option>
        ))}
      </SelectField>
      {scope !== 'everything' && (
        <TextField
          label="Which"
          list="freeze-names"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
          help={scope === 'workload' ? 'As namespace/name.' : undefined}
        />
      )}
      <datalist id="freeze-names">
        {names.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      <TextField
        label="For how long"
        placeholder="until somebody lifts it"
        value={period}
        onChange={(event) => setPeriod(event.target.value)}
        help="In the federation’s own time: 30m, 2h, 1d."
        error={seconds === null ? 'Write the period like 30m or 2h.' : null}
      />
      {stop.error && <ErrorNotice error={stop.error} />}
      <CommandLine command={command} />
    </Dialog>
  );
}
