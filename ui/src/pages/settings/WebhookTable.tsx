// Everybody who is told, and how that goes.
import { BellRing, CircleCheck, CircleSlash, Hourglass, TriangleAlert } from 'lucide-react';
import type { Webhook } from '../../api/webhooks';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Badge, type Tone } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Table } from '../../ui/Table';
import { digits } from '../../util/numbers';
import { span } from '../../util/time';
import { webhookState, type WebhookState } from './webhookState';
import css from './settings.module.css';

interface Props {
  hooks: Webhook[];
  shown: string;
  /** When the desk was last asked. */
  now: number;
  onShow: (name: string) => void;
  onTest: (name: string) => void;
}

const LOOKS: Record<WebhookState, { tone: Tone; Icon: typeof BellRing; text: string }> = {
  heard: { tone: 'good', Icon: CircleCheck, text: 'all heard' },
  telling: { tone: 'accent', Icon: Hourglass, text: 'telling' },
  failing: { tone: 'bad', Icon: TriangleAlert, text: 'does not hear' },
  quiet: { tone: 'neutral', Icon: BellRing, text: 'nothing told yet' },
  gone: { tone: 'neutral', Icon: CircleSlash, text: 'not in the file any more' },
};

function State({ hook }: { hook: Webhook }) {
  const { tone, Icon, text } = LOOKS[webhookState(hook)];
  return (
    <>
      <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
        {text}
      </Badge>
      {webhookState(hook) === 'failing' && <span className={css.trouble}>{hook.lastError}</span>}
    </>
  );
}

export function WebhookTable({ hooks, shown, now, onShow, onTest }: Props) {
  const blocked = useWriteBlock('administer');
  const ago = (wall: number | null | undefined) =>
    wall ? (now - wall < 60_000 ? 'just now' : `${span(now - wall)} ago`) : 'never';
  return (
    <Table
      edged
      caption="Webhooks by name"
      rows={hooks}
      rowKey={({ name }) => name}
      columns={[
        {
          key: 'name',
          title: 'Name',
          cell: ({ name, url }) => (
            <>
              {name} <code className={css.address}>{url}</code>
            </>
          ),
        },
        { key: 'state', title: 'State', cell: (hook) => <State hook={hook} /> },
        {
          key: 'events',
          title: 'Told of',
          cell: ({ events }) => (events.length === 0 ? 'everything' : events.join(', ')),
        },
        { key: 'heard', title: 'Heard', numeric: true, cell: ({ delivered }) => digits(delivered) },
        { key: 'waiting', title: 'Waiting', numeric: true, cell: ({ waiting }) => digits(waiting) },
        { key: 'dead', title: 'Given up', numeric: true, cell: ({ dead }) => digits(dead) },
        { key: 'last', title: 'Last heard', cell: ({ lastSuccessWall }) => ago(lastSuccessWall) },
        {
          key: 'do',
          title: <span className="visually-hidden">Do</span>,
          numeric: true,
          cell: ({ name, active }) => (
            <span className={css.buttons}>
              {hooks.length > 1 && (
                <Button
                  size="s"
                  aria-pressed={name === shown}
                  aria-label={`Deliveries to ${name}`}
                  onClick={() => onShow(name)}
                >
                  Deliveries
                </Button>
              )}
              <Button
                size="s"
                aria-label={`Test ${name}…`}
                disabledBecause={blocked ?? (active ? null : 'The desk’s file names it no more.')}
                onClick={() => onTest(name)}
              >
                Test…
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}
