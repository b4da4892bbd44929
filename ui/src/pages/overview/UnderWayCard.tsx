// What is being carried out, and what was last.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { executionsQuery } from '../../api/queries';
import { Loaded } from '../../components/Loaded';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import css from './lines.module.css';

const MOST = 4;

export function UnderWayCard() {
  const query = useQuery(executionsQuery);
  return (
    <Card title="Under way, and carried out last">
      <Loaded query={query} lines={2}>
        {(page) =>
          page.items.length === 0 ? (
            <p className={css.none}>Nothing has been carried out in this run.</p>
          ) : (
            <ul>
              {page.items.slice(0, MOST).map((item) => (
                <li key={item.id} className={css.line}>
                  <Link to="/recommendations/$id" params={{ id: item.id }} className={css.words}>
                    <b>{item.id}</b> <span className={css.text}>{item.action}</span>
                  </Link>
                  <StageBadge stage={item.stage} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
