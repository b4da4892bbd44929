// One recommendation: eight questions and an answer, and after the answer what comes of it.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { recommendationQuery, recommendationsQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { lazyPart } from '../../components/lazyPart';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { useShortcuts } from '../../components/shortcuts';
import { useWriteBlock } from '../../components/useWriteBlock';
import { ActionBar } from './ActionBar';
import { ApproveDialog } from './ApproveDialog';
import { BackQuestion } from './BackQuestion';
import { ChangeQuestion } from './ChangeQuestion';
import { ChecksQuestion } from './ChecksQuestion';
import { DecisionHeader } from './DecisionHeader';
import { hasExecution, refusalOf } from './deeds';
import { DeferDialog } from './DeferDialog';
import { EffectQuestion } from './EffectQuestion';
import { EvidenceQuestion } from './EvidenceQuestion';
import { ExecutionCard } from './ExecutionCard';
import type { Open } from './open';
import { ReasonDialog } from './ReasonDialog';
import { RejectDialog } from './RejectDialog';
import { RiskQuestion } from './RiskQuestion';
import { TargetDialog } from './TargetDialog';
import { WhoQuestion } from './WhoQuestion';
import { WhyQuestion } from './WhyQuestion';
import css from './DecisionPage.module.css';

const route = getRouteApi('/inside/recommendations/$id');
// Charts are heavy; most decisions are made without them.
const EvidenceDialog = lazyPart(() => import('./EvidenceDialog'), null);

export default function DecisionPage() {
  const { id } = route.useParams();
  const query = useQuery(recommendationQuery(id));
  return (
    <Loaded query={query} lines={8} tall heading={<PageHeader title={id} />}>
      {(detail) => <Decision key={detail.id} detail={detail} />}
    </Loaded>
  );
}

function Decision({ detail }: { detail: RecommendationDetail }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const blocked = useWriteBlock('decide');
  const { data: neighbours } = useQuery(
    recommendationsQuery({ limit: 200, sort: '-raised_at', stage: 'pending,approved,applying' }),
  );
  const step = (by: 1 | -1) => {
    const ids = neighbours?.items.map((one) => one.id) ?? [];
    const next = ids[ids.indexOf(detail.id) + by];
    if (next) void navigate({ to: '/recommendations/$id', params: { id: next } });
  };
  const unlessRefused = (deed: 'approve' | 'reject' | 'defer') => () => {
    if (!refusalOf(detail, deed, blocked)) setOpen(deed);
  };
  useShortcuts({
    'Shift+A': unlessRefused('approve'),
    'Shift+R': unlessRefused('reject'),
    z: unlessRefused('defer'),
    e: () => setOpen('evidence'),
    '[': () => step(-1),
    ']': () => step(1),
    Escape: () => void navigate({ to: '/recommendations' }),
  });
  const close = () => setOpen(null);
  const rollBack = () => setOpen('rollback');
  return (
    <div className={css.page}>
      <DecisionHeader detail={detail} onStep={step} />
      {hasExecution(detail.stage) && <ExecutionCard detail={detail} />}
      <div className={css.columns}>
        <div className={css.column}>
          <ChangeQuestion detail={detail} />
          <WhyQuestion detail={detail} />
          <EvidenceQuestion detail={detail} onChart={() => setOpen('evidence')} />
          <EffectQuestion detail={detail} />
        </div>
        <div className={css.column}>
          <RiskQuestion detail={detail} />
          <ChecksQuestion detail={detail} />
          <BackQuestion detail={detail} />
          <WhoQuestion detail={detail} />
        </div>
      </div>
      <ActionBar detail={detail} onOpen={setOpen} />
      {open === 'approve' && <ApproveDialog detail={detail} onClose={close} onRollBack={rollBack} />}
      {open === 'reject' && <RejectDialog detail={detail} onClose={close} onRollBack={rollBack} />}
      {open === 'defer' && <DeferDialog detail={detail} onClose={close} onRollBack={rollBack} />}
      {open === 'target' && <TargetDialog detail={detail} onClose={close} onRollBack={rollBack} />}
      {(open === 'abort' || open === 'rollback') && (
        <ReasonDialog detail={detail} deed={open} onClose={close} />
      )}
      {open === 'evidence' && <EvidenceDialog detail={detail} onClose={close} />}
    </div>
  );
}
