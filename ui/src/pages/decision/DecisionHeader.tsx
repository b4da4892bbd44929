// What it is about, at one glance.
import { ChevronLeft, ChevronRight, Clock3 } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { RecommendationDetail } from '../../api/types';
import { Countdown } from '../../components/Countdown';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { StageBadge } from '../../components/StageBadge';
import { Badge } from '../../ui/Badge';
import { IconButton } from '../../ui/IconButton';
import css from './DecisionHeader.module.css';

interface Props {
  detail: RecommendationDetail;
  onStep: (by: 1 | -1) => void;
}

export function DecisionHeader({ detail, onStep }: Props) {
  return (
    <header className={css.header}>
      <div className={css.words}>
        <p className={css.crumb}>
          <Link to="/recommendations">Recommendations</Link> / {detail.id}
        </p>
        <div className={css.line}>
          <h1>{planTitle(detail)}</h1>
          {detail.kind === 'migrate' && (
            <span className={css.route}>
              <Route from={detail.from} to={detail.to} />
            </span>
          )}
        </div>
      </div>
      <div className={css.badges}>
        <StageBadge stage={detail.stage} />
        {detail.stage === 'pending' && typeof detail.deferredUntil === 'number' && (
          <Badge tone="warn" icon={<Clock3 size={13} aria-hidden="true" />}>
            put off for <Countdown until={detail.deferredUntil} />
          </Badge>
        )}
        <RiskBadge long risk={detail.risk} />
        {detail.stage === 'pending' && (
          <span className={css.expires}>
            expires in <Countdown until={detail.expiresAt} />
          </span>
        )}
        <span className={css.step}>
          <IconButton
            label="The one before ([)"
            icon={<ChevronLeft size={16} />}
            onClick={() => onStep(-1)}
          />
          <IconButton label="The next one (])" icon={<ChevronRight size={16} />} onClick={() => onStep(1)} />
        </span>
      </div>
    </header>
  );
}
