// A page that is known but not there yet, and the command that already does its work.
import { Construction } from 'lucide-react';
import { Copyable } from '../ui/Copyable';
import { EmptyState } from '../ui/EmptyState';
import { PageHeader } from './PageHeader';

export function Placeholder({ title, command }: { title: string; command: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon={<Construction size={20} />} title="This page is not there yet">
        <p>Until it is, the command line shows the same:</p>
        <Copyable block text={command} />
      </EmptyState>
    </>
  );
}
