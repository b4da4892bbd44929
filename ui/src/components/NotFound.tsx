// An address that leads nowhere.
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/EmptyState';

export function NotFound() {
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title="There is no such page"
      action={<Link to="/">To the overview</Link>}
    >
      The address may be old, or mistyped.
    </EmptyState>
  );
}
