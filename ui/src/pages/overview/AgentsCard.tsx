// Who recommends, and how well it went.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentsQuery } from '../../api/queries';
import { Loaded } from '../../components/Loaded';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import css from './lines.module.css';

export function AgentsCard() {
  const query = useQuery(agentsQuery);
  return (
    <Card title="Agents" aside={<Link to="/agents">All</Link>}>
      <Loaded query={query} lines={2}>
        {(agents) =>
          agents.length === 0 ? (
            <p className={css.none}>No agent works for this federation.</p>
          ) : (
            <ul>
              {agents.map((agent) => (
                <li key={agent.name} className={css.line}>
                  <Link to="/agents/$name" params={{ name: agent.name }} className={css.words}>
                    <b>{agent.name}</b> <span className={css.text}>{agent.strategy ?? 'from outside'}</span>
                  </Link>
                  {agent.frozen && <Badge tone="bad">frozen</Badge>}
                  <span className={css.text}>{inShort(agent.recommendations)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

/** What waits and what became real; the agent's own page has the rest. */
function inShort(stages: Readonly<Record<string, number>>): string {
  const all = Object.values(stages).reduce((total, number) => total + number, 0);
  if (all === 0) return 'nothing recommended yet';
  const pending = stages.pending ? `${stages.pending} pending · ` : '';
  return `${pending}${stages.applied ?? 0} of ${all} applied`;
}
