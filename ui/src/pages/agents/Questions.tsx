// What an agent asked language models lately, what it cost, and what came of it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { questionsQuery } from '../../api/queries';
import type { ModelQuestion } from '../../api/types';
import { outcomeOf } from '../../components/outcome';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Loaded } from '../../components/Loaded';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Table } from '../../ui/Table';
import { digits } from '../../util/numbers';
import { moment } from '../../util/time';
import { QuestionDialog } from './QuestionDialog';
import { askedWhom, billOf, money, stateOf, tookText } from './questions';
import css from './Questions.module.css';

export function Questions({ agent }: { agent: string }) {
  const query = useQuery(questionsQuery(agent));
  const [open, setOpen] = useState<ModelQuestion | null>(null);
  if (query.error && !query.data) {
    return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  }
  // Most agents ask nobody; of them there is nothing to tell.
  if (!query.data || query.data.length === 0) return null;
  const bill = billOf(query.data.flatMap(({ calls }) => calls));
  return (
    <Card
      title="What it asked models"
      flush
      aside={`${money(bill.costMicroDollars)} and ${digits(bill.tokens)} tokens for those below`}
    >
      <Loaded query={query} lines={3}>
        {(questions) => (
          <Table
            edged
            caption="What it asked models, newest first"
            rows={questions}
            rowKey={({ seq }) => String(seq)}
            columns={[
              { key: 'at', title: 'Asked at', cell: ({ at }) => moment(at) },
              {
                key: 'came',
                title: 'Whom, and what came of it',
                cell: (question) => <Came question={question} />,
              },
              {
                key: 'took',
                title: 'Took',
                numeric: true,
                cell: ({ calls }) => tookText(billOf(calls).took),
              },
              {
                key: 'tokens',
                title: 'Tokens',
                numeric: true,
                cell: ({ calls }) => digits(billOf(calls).tokens),
              },
              {
                key: 'cost',
                title: 'Cost',
                numeric: true,
                cell: ({ calls }) => money(billOf(calls).costMicroDollars),
              },
              {
                key: 'read',
                title: <span className="visually-hidden">Read</span>,
                numeric: true,
                cell: (question) => (
                  <Button
                    size="s"
                    look="quiet"
                    aria-label={`Read question ${question.number}`}
                    onClick={() => setOpen(question)}
                  >
                    Read
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {open && <QuestionDialog agent={agent} asked={open} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function Came({ question }: { question: ModelQuestion }) {
  const { words, tone } = stateOf(question);
  return (
    <span className={css.came}>
      <span className={css.whom}>
        {askedWhom(question.calls)} <Badge tone={tone}>{words}</Badge>
      </span>
      {question.decision && <span className={css.outcome}>{outcomeOf(question.decision).words}</span>}
    </span>
  );
}
