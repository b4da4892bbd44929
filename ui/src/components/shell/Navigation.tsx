// The way to every page.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statusQuery } from '../../api/queries';
import { DESTINATIONS } from './destinations';
import css from './Navigation.module.css';

export function Navigation({ open, onGone }: { open: boolean; onGone: () => void }) {
  const { data: status } = useQuery(statusQuery);
  return (
    <nav className={css.navigation} data-open={open || undefined} aria-label="Pages" id="navigation">
      <ul className={css.list}>
        {DESTINATIONS.map(({ to, title, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={css.link}
              activeProps={{ className: css.active, 'aria-current': 'page' }}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={onGone}
            >
              <Icon size={17} aria-hidden="true" />
              <span className={css.title}>{title}</span>
              {to === '/recommendations' && Boolean(status?.waiting) && (
                <span className={css.count}>
                  {status?.waiting}
                  <span className="visually-hidden"> pending</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <p className={css.build}>Drover {status?.build}</p>
    </nav>
  );
}
