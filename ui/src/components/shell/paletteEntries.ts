// What the palette offers: pages, commands, and the things that are known by name.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  agentsQuery,
  clustersQuery,
  recommendationsQuery,
  statusQuery,
  workloadsQuery,
} from '../../api/queries';
import { toggleTheme } from '../../theme/theme';
import { STEP_SECONDS } from '../ClockButtons';
import { useClock } from '../useClock';
import { useWholeWriteBlock } from '../useWriteBlock';
import { DESTINATIONS } from './destinations';

export interface Entry {
  key: string;
  title: string;
  kind: string;
  run: () => void;
}

interface Wish {
  text: string;
  onFreeze: () => void;
  onHelp: () => void;
}

/** Nothing where time is not one's own to steer. */
function useClockEntries(): Entry[] {
  const { data: status } = useQuery(statusQuery);
  const blocked = useWholeWriteBlock('steer');
  const clock = useClock();
  if (!status || status.world !== 'simulated' || status.ended || blocked) return [];
  const { paused } = status;
  return [
    {
      key: 'clock/run',
      title: paused ? 'Run: let time go on' : 'Pause time',
      kind: 'command',
      run: () => clock.mutate({ order: paused ? 'run' : 'pause' }),
    },
    {
      key: 'clock/step',
      title: `Step: go on for ${STEP_SECONDS} s, then stand still`,
      kind: 'command',
      run: () => clock.mutate({ order: 'advance', seconds: STEP_SECONDS }),
    },
  ];
}

export function usePaletteEntries({ text, onFreeze, onHelp }: Wish): Entry[] {
  const clockEntries = useClockEntries();
  const navigate = useNavigate();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: recommendations } = useQuery(recommendationsQuery({ limit: 50, sort: '-raised_at' }));
  const { data: workloads } = useQuery({
    ...workloadsQuery({ search: text.trim(), limit: 8 }),
    enabled: text.trim().length > 1,
  });
  return [
    ...DESTINATIONS.map(({ to, title, letter }) => ({
      key: to,
      title,
      kind: `page · g ${letter}`,
      run: () => void navigate({ to }),
    })),
    ...clockEntries,
    { key: 'freeze', title: 'Freeze…', kind: 'command · Shift F', run: onFreeze },
    { key: 'theme', title: 'Switch between light and dark', kind: 'command · t', run: toggleTheme },
    { key: 'help', title: 'Show all keys', kind: 'command · ?', run: onHelp },
    ...(recommendations?.items ?? []).map(({ id, action, stage }) => ({
      key: id,
      title: `${id} ${action}`,
      kind: stage,
      run: () => void navigate({ to: '/recommendations/$id', params: { id } }),
    })),
    ...clusters.map(({ name }) => ({
      key: `cluster/${name}`,
      title: name,
      kind: 'cluster',
      run: () => void navigate({ to: '/clusters/$name', params: { name } }),
    })),
    ...agents.map(({ name }) => ({
      key: `agent/${name}`,
      title: name,
      kind: 'agent',
      run: () => void navigate({ to: '/agents/$name', params: { name } }),
    })),
    ...(workloads?.items ?? []).map(({ workload, kind, namespace, name }) => ({
      key: `workload/${workload}`,
      title: `${namespace}/${name}`,
      kind,
      run: () =>
        void navigate({ to: '/workloads/$kind/$namespace/$name', params: { kind, namespace, name } }),
    })),
  ];
}
