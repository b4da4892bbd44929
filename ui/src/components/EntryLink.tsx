// An entry of the record, by its number; a link for those who may read the record.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries';
import css from './EntryLink.module.css';

export function EntryLink({ seq }: { seq: number }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.rights.includes('audit')) return <span className={css.plain}>#{seq}</span>;
  return (
    <Link to="/audit" search={{ entry: seq }} className={css.link} aria-label={`Entry ${seq} of the record`}>
      #{seq}
    </Link>
  );
}
