// Runs of this desk, and comparisons of its laboratory.
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { PageHeader } from '../../components/PageHeader';
import { ComparisonsCard } from './ComparisonsCard';
import { RunsCard } from './RunsCard';
import css from './RunsPage.module.css';

export default function RunsPage() {
  return (
    <>
      <PageHeader
        title="Runs"
        actions={
          <Link to="/compare" search={{}} className={css.start}>
            <Plus size={15} aria-hidden="true" /> New comparison
          </Link>
        }
      />
      <div className={css.stack}>
        <RunsCard />
        <ComparisonsCard />
      </div>
    </>
  );
}
