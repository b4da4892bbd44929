// Saying who answers, for an agent or in a part of the federation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { modesQuery, setMode, type Mode, type ModeWish } from '../../api/administration';
import { agentsQuery, clustersQuery } from '../../api/queries';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { SelectField, TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { periodSeconds } from '../../util/period';
import { GrantFields, type Grant } from './GrantFields';
import { isUnbounded, modeCommand, MODES, whereOf } from './modes';
import css from './settings.module.css';

type Where = Exclude<ModeWish['scope'], 'agent'>;
const PLACES: Where[] = ['everything', 'cluster', 'namespace', 'workload'];

export function ModeDialog({ from, onClose }: { from: Partial<Mode>; onClose: () => void }) {
  const [mode, setChosen] = useState<ModeWish['mode']>(
    MODES.find((one) => one.mode === from.mode)?.mode ?? 'human',
  );
  const [scope, setScope] = useState<Where>(PLACES.find((place) => place === from.scope) ?? 'everything');
  const [name, setName] = useState(from.name ?? '');
  const [agent, setAgent] = useState(from.agent ?? '');
  const [grant, setGrant] = useState<Grant>({
    highestRisk: (from.highestRisk ?? 'low') as Grant['highestRisk'],
    replicas: from.replicas?.toString() ?? '',
    perHour: from.perHour?.toString() ?? '',
    period: '',
  });
  const [reason, setReason] = useState('');
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const seconds = grant.period.trim() ? periodSeconds(grant.period) : undefined;
  const number = (text: string) => (text.trim() ? Number(text) : null);
  const wish: ModeWish = {
    mode,
    scope,
    name: scope === 'everything' ? null : name.trim(),
    agent: agent || null,
    reason: reason.trim(),
    ...(mode === 'auto'
      ? {
          highestRisk: grant.highestRisk,
          replicas: number(grant.replicas),
          perHour: number(grant.perHour),
          seconds: seconds ?? null,
        }
      : {}),
  };
  const set = useMutation({
    mutationFn: () => setMode(wish),
    onSuccess: (modes) => {
      client.setQueryData(modesQuery.queryKey, modes);
      void client.invalidateQueries();
      showToast({ tone: 'good', title: `${mode} holds for ${agent || 'everybody'} in ${whereOf(wish)}` });
      onClose();
    },
  });
  const missing =
    scope !== 'everything' && !name.trim()
      ? 'Say which.'
      : !wish.reason
        ? 'Say why; everybody sees it.'
        : seconds === null
          ? 'Write the period like 30m or 4h.'
          : isUnbounded(wish)
            ? 'Say for how long, or how many actions within an hour.'
            : null;
  return (
    <Dialog
      title="Who answers"
      onClose={onClose}
      note={blocked ?? missing}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={mode === 'auto' ? 'danger' : 'primary'}
            busy={set.isPending}
            disabledBecause={blocked ?? missing}
            onClick={() => set.mutate()}
          >
            {mode === 'auto' ? 'Let it pass without people' : `Set ${mode}`}
          </Button>
        </>
      }
    >
      <SelectField
        label="Mode"
        value={mode}
        onChange={(event) => setChosen(event.target.value as ModeWish['mode'])}
        help={MODES.find((one) => one.mode === mode)?.says}
      >
        {MODES.map((one) => (
          <option key={one.mode} value={one.mode}>
            {one.title}
          </option>
        ))}
      </SelectField>
      <div className={css.pair}>
        <SelectField label="Where" value={scope} onChange={(event) => setScope(event.target.value as Where)}>
          {PLACES.map((place) => (
            <option key={place}>{place}</option>
          ))}
        </SelectField>
        <SelectField
          label="Whose recommendations"
          value={agent}
          onChange={(event) => setAgent(event.target.value)}
        >
          <option value="">everybody’s</option>
          {agents.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </SelectField>
      </div>
      {scope !== 'everything' && (
        <TextField
          label="Which"
          list="mode-names"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
          help={scope === 'workload' ? 'As namespace/name.' : undefined}
        />
      )}
      <datalist id="mode-names">
        {scope === 'cluster' && clusters.map((cluster) => <option key={cluster.name} value={cluster.name} />)}
      </datalist>
      {mode === 'auto' && <GrantFields grant={grant} onChange={setGrant} badPeriod={seconds === null} />}
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      {set.error && <ErrorNotice error={set.error} />}
      <CommandLine command={modeCommand(wish, grant.period)} />
    </Dialog>
  );
}
