// Recommendations by stage, each leading to the list.
import { Link } from '@tanstack/react-router';
import { StageBadge } from '../../components/StageBadge';
import type { Agent } from '../../api/types';
import { digits } from '../../util/numbers';
import { stagesOf } from './record';
import css from './Stages.module.css';

export function Stages({ agent }: { agent: Pick<Agent, 'name' | 'recommendations'> }) {
  const stages = stagesOf(agent.recommendations);
  if (stages.length === 0) return <span className={css.none}>none in this run</span>;
  return (
    <Link to="/recommendations" search={{ agent: agent.name, stage: 'all' }} className={css.stages}>
      <span className="visually-hidden">Recommendations: </span>
      {stages.map(({ stage, count }) => (
        <span key={stage} className={css.stage}>
          <b>{digits(count)}</b> <StageBadge stage={stage} />
        </span>
      ))}
    </Link>
  );
}
