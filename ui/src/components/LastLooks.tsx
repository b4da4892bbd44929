// When agents looked last, and why nothing came of it.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentQuery, agentsQuery } from '../api/queries';
import { outcomeOf } from './outcome';
import { span } from '../util/time';
import css from './LastLooks.module.css';
import { useFederationNow } from './useFederationNow';
import { useSeesAll } from './useSight';

/** As many as can be read at a glance. */
const MOST = 3;

export function LastLooks() {
  const now = useFederationNow();
  const { data: agents = [] } = useQuery(agentsQuery);
  // What agents decided is told only to those who see everything.
  const all = useSeesAll() === true;
  const names = agents.filter(({ inside }) => inside).map(({ name }) => name);
  const details = useQueries({ queries: names.slice(0, all ? MOST : 0).map((name) => agentQuery(name)) });
  const looks = details.flatMap(({ data }) => {
    const last = data?.decisions[0];
    return data && last ? [{ name: data.name, last }] : [];
  });
  if (looks.length === 0) return null;
  return (
    <ul className={css.looks}>
      {looks.map(({ name, last }) => (
        <li key={name}>
          <Link to="/agents/$name" params={{ name }} className={css.agent}>
            {name}
          </Link>{' '}
          looked {now === null ? '' : `${span(now - last.at)} ago`}. {outcomeOf(last).words}
        </li>
      ))}
      {names.length > MOST && (
        <li>
          <Link to="/agents" className={css.agent}>
            {names.length - MOST} more agents
          </Link>
        </li>
      )}
    </ul>
  );
}
