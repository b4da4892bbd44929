// An address that leads nowhere.
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/EmptyState';
import css from './NotFound.module.css';

export function NotFound() {
  return (
    <main className={css.page}>
      <h1 className="visually-hidden">Not found</h1>
      <EmptyState
        icon={<Compass size={20} />}
        title="There is no such page"
        action={<Link to="/">To the overview</Link>}
      >
        The address may be old, or mistyped.
      </EmptyState>
    </main>
  );
}
