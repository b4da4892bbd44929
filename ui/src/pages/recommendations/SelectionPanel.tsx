// What is chosen, what it would bring together, and one answer for all of it.
import { useQuery } from '@tanstack/react-query';
import { Ban, Check, X } from 'lucide-react';
import { useState } from 'react';
import { previewQuery } from '../../api/queries';
import type { Recommendation } from '../../api/types';
import { chosenMeasures } from '../../components/chosenMeasures';
import { EffectTable } from '../../components/EffectTable';
import { Loaded } from '../../components/Loaded';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { count } from '../../util/numbers';
import { span } from '../../util/time';
import { BatchDialog } from './BatchDialog';
import { togetherRefusal } from './chosen';
import css from './SelectionPanel.module.css';

export function SelectionPanel({ rows, onClear }: { rows: Recommendation[]; onClear: () => void }) {
  const [verdict, setVerdict] = useState<'approve' | 'reject' | null>(null);
  const blocked = useWriteBlock('decide');
  const ids = rows.map((row) => row.id).sort();
  const preview = useQuery(previewQuery(ids));
  const clusters = [
    ...new Set(rows.flatMap((row) => [row.from, row.to]).filter((name): name is string => Boolean(name))),
  ];
  return (
    <Card
      className={css.panel}
      title={`${count(rows.length, 'recommendation')} chosen`}
      aside={
        <>
          <Button size="s" look="quiet" icon={<X size={13} aria-hidden="true" />} onClick={onClear}>
            Choose none
          </Button>
          <Button
            size="s"
            icon={<Ban size={13} aria-hidden="true" />}
            disabledBecause={blocked}
            onClick={() => setVerdict('reject')}
          >
            Reject all…
          </Button>
          <Button
            size="s"
            look="primary"
            icon={<Check size={13} aria-hidden="true" />}
            disabledBecause={blocked ?? togetherRefusal(rows)}
            onClick={() => setVerdict('approve')}
          >
            Approve all…
          </Button>
        </>
      }
    >
      <Loaded query={preview} lines={4}>
        {(prediction) => (
          <div className={preview.isPlaceholderData ? css.old : undefined}>
            <EffectTable
              measures={chosenMeasures(prediction.alone, clusters)}
              caption="What they would bring together"
            />
            <p className={css.note}>
              {ids.join(', ')} and nothing else that is pending: {prediction.seeds} rehearsals of{' '}
              {span(prediction.horizonSeconds * 1000)}
              {prediction.limitations.map((limitation) => ` · ${limitation}`)}
              {preview.isFetching && ' · rehearsing again…'}
            </p>
            {prediction.objections?.map((objection) => (
              <p key={objection} className={css.objection} role="note">
                {objection}
              </p>
            ))}
          </div>
        )}
      </Loaded>
      {verdict && (
        <BatchDialog rows={rows} verdict={verdict} onClose={() => setVerdict(null)} onDone={onClear} />
      )}
    </Card>
  );
}
