// What one of them was told or is to be told, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Hourglass } from 'lucide-react';
import { deliveriesQuery, type Delivery, type DeliveryState } from '../../api/webhooks';
import { ErrorNotice } from '../../components/ErrorNotice';
import { NotRenewed } from '../../components/NotRenewed';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Badge, type Tone } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { Skeleton } from '../../ui/Skeleton';
import { Table } from '../../ui/Table';
import { wallMoment } from '../../util/time';
import { eventName } from './webhookState';
import css from './settings.module.css';

interface Props {
  name: string;
  state: DeliveryState | undefined;
  onState: (state: DeliveryState | undefined) => void;
  onRetry: (delivery: Delivery) => void;
}

const LOOKS: Record<string, { tone: Tone; Icon: typeof Hourglass; text: string }> = {
  waiting: { tone: 'accent', Icon: Hourglass, text: 'waiting' },
  delivered: { tone: 'good', Icon: CircleCheck, text: 'heard' },
  dead: { tone: 'bad', Icon: CircleX, text: 'given up' },
};

export function DeliveriesCard({ name, state, onState, onRetry }: Props) {
  const query = useInfiniteQuery(deliveriesQuery(name, state));
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <Card
      flush
      title={`Deliveries to ${name}`}
      aside={
        <Segments
          label="Which"
          value={state ?? 'all'}
          onChange={(next) => onState(next === 'all' ? undefined : next)}
          options={[
            { value: 'all', title: 'All' },
            { value: 'waiting', title: 'Waiting' },
            { value: 'delivered', title: 'Heard' },
            { value: 'dead', title: 'Given up' },
          ]}
        />
      }
    >
      {query.isPending && <Skeleton lines={4} />}
      {query.error && !items && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      <NotRenewed query={query} />
      {items?.length === 0 && (
        <EmptyState title={state ? 'None of these' : 'Nothing has been told yet'}>
          {state ? '' : 'A test shows whether messages arrive.'}
        </EmptyState>
      )}
      {items && items.length > 0 && <Deliveries name={name} items={items} onRetry={onRetry} />}
      {query.hasNextPage && (
        <div className={css.more}>
          <Button size="s" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older ones
          </Button>
        </div>
      )}
    </Card>
  );
}

function Deliveries({ name, items, onRetry }: Pick<Props, 'name' | 'onRetry'> & { items: Delivery[] }) {
  const blocked = useWriteBlock('administer');
  return (
    <Table
      edged
      caption={`Deliveries to ${name}, newest first`}
      rows={items}
      rowKey={({ id }) => id}
      columns={[
        { key: 'event', title: 'Event', cell: ({ type }) => eventName(type) },
        {
          key: 'entry',
          title: 'Entry',
          numeric: true,
          cell: ({ seq }) => (
            <Link to="/audit" search={{ entry: seq }}>
              #{seq}
            </Link>
          ),
        },
        { key: 'state', title: 'State', cell: (delivery) => <State delivery={delivery} /> },
        { key: 'tries', title: 'Tries', numeric: true, cell: ({ attempts }) => attempts },
        { key: 'changed', title: 'Last changed', cell: ({ changedWall }) => wallMoment(changedWall) },
        {
          key: 'do',
          title: <span className="visually-hidden">Do</span>,
          numeric: true,
          cell: (delivery) =>
            delivery.state === 'dead' && (
              <Button
                size="s"
                disabledBecause={blocked}
                aria-label={`Retry ${eventName(delivery.type)}, entry ${delivery.seq}…`}
                onClick={() => onRetry(delivery)}
              >
                Retry…
              </Button>
            ),
        },
      ]}
    />
  );
}

function State({ delivery }: { delivery: Delivery }) {
  const { tone, Icon, text } = LOOKS[delivery.state] ?? {
    tone: 'neutral' as Tone,
    Icon: Hourglass,
    text: delivery.state,
  };
  const next = delivery.state === 'waiting' && delivery.nextWall ? delivery.nextWall : null;
  return (
    <>
      <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
        {text}
      </Badge>
      {delivery.state !== 'delivered' && delivery.lastError && (
        <span className={css.trouble}>
          {delivery.lastError}
          {next ? `; tried again at ${wallMoment(next).slice(11)}` : ''}
        </span>
      )}
    </>
  );
}
