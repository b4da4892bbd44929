// What an agent saw when it decided: the snapshot as it was given to it, and what came of that.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { snapshotQuery } from '../../api/queries';
import type { AgentDecision } from '../../api/types';
import { EntryLink } from '../../components/EntryLink';
import { Loaded } from '../../components/Loaded';
import { Copyable } from '../../ui/Copyable';
import { Dialog } from '../../ui/Dialog';
import { Pairs } from '../../ui/Pairs';
import { Tree } from '../../ui/Tree';
import { moment } from '../../util/time';
import { outcomeOf } from '../../components/outcome';
import css from './SeenDialog.module.css';

interface Props {
  decision: AgentDecision;
  hash: string;
  onClose: () => void;
}

export function SeenDialog({ decision, hash, onClose }: Props) {
  const query = useQuery(snapshotQuery(hash));
  return (
    <Dialog wide title={`What it saw at ${moment(decision.at)}`} onClose={onClose}>
      <Pairs
        pairs={[
          ['Came of it', outcomeOf(decision).words],
          ['In the record', <Entries key="entries" decision={decision} />],
          ['Hash', <Copyable key="hash" text={hash} label="Copy hash" />],
          [
            'In pictures',
            <Link key="then" to="/" search={{ at: decision.at }} className={css.then}>
              the overview at {moment(decision.at)}
            </Link>,
          ],
        ]}
      />
      <h3 className={css.title}>Everything it was given</h3>
      <div className={css.tree} role="region" aria-label="The snapshot" tabIndex={0}>
        <Loaded query={query} lines={6}>
          {({ snapshot }) => <Tree value={snapshot} open={2} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

/** Both are often one entry. */
function Entries({ decision: { seq, snapshotSeq } }: { decision: AgentDecision }) {
  if (typeof snapshotSeq !== 'number' || snapshotSeq === seq) return <EntryLink seq={seq} />;
  return (
    <>
      decided in <EntryLink seq={seq} />, observed in <EntryLink seq={snapshotSeq} />
    </>
  );
}
