// Why here and not elsewhere, as the newest recommendation about a workload saw it.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { recommendationQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import { Table } from '../../ui/Table';
import { moment } from '../../util/time';
import { optionsOf } from './options';
import type { About } from './useRecommendationsAbout';
import css from './Why.module.css';

export function Why({ about }: { about: About }) {
  const newest = about.items?.[0];
  return (
    <Card
      title="Why here, why not elsewhere"
      aside={
        newest && (
          <>
            <Link to="/recommendations/$id" params={{ id: newest.id }}>
              {newest.id}
            </Link>
            of {newest.agent}, {moment(newest.raisedAt)} <StageBadge stage={newest.stage} />
          </>
        )
      }
    >
      {newest ? (
        <Weighed id={newest.id} />
      ) : (
        <p className={css.none}>
          {about.items
            ? 'No agent has recommended anything about it in this run, so nobody has weighed its places.'
            : 'Looking…'}
        </p>
      )}
    </Card>
  );
}

function Weighed({ id }: { id: string }) {
  const query = useQuery(recommendationQuery(id));
  return (
    <Loaded query={query} lines={3}>
      {(detail) => <Options detail={detail} />}
    </Loaded>
  );
}

function Options({ detail }: { detail: RecommendationDetail }) {
  return (
    <>
      <Table
        dense
        caption="What was weighed"
        rows={optionsOf(detail)}
        rowKey={(one) => one.option}
        columns={[
          {
            key: 'option',
            title: 'Possibility',
            cell: (one) => (
              <span className={one.chosen ? css.chosen : css.left}>
                {one.chosen ? (
                  <CircleCheck size={14} aria-label="recommended:" />
                ) : (
                  <CircleX size={14} aria-label="not recommended:" />
                )}
                {one.option}
              </span>
            ),
          },
          {
            key: 'because',
            title: 'Because',
            cell: (one) => <span className={css.because}>{one.because}</span>,
          },
        ]}
      />
      <p className={css.none}>Text written by {detail.agent}, not verified.</p>
    </>
  );
}
