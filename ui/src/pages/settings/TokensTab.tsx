// Who is let in: tokens without their secrets, made and ended here.
import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Clock3, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { tokensQuery, type Token } from '../../api/administration';
import { sessionQuery } from '../../api/queries';
import { Loaded } from '../../components/Loaded';
import { NoPermission } from '../../components/NoPermission';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { span, wallMoment } from '../../util/time';
import { NewTokenDialog } from './NewTokenDialog';
import { RevokeDialog } from './RevokeDialog';
import { scopeWords } from './scope';
import { tokenState, type TokenState } from './tokenState';
import css from './settings.module.css';

interface Props {
  ended: boolean;
  onEnded: (ended: boolean) => void;
}

export function TokensTab({ ended, onEnded }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const may = session?.rights.includes('administer') ?? true;
  const query = useQuery({ ...tokensQuery, enabled: may });
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Token | null>(null);
  const blocked = useWriteBlock('administer');
  const [now] = useState(() => Date.now());
  if (!may) return <NoPermission what="Tokens are" roles="admin" />;
  const all = query.data ?? [];
  const shown = all.filter((token) => ended || tokenState(token, now) === 'counts');
  const endedCount = all.filter((token) => tokenState(token, now) !== 'counts').length;
  return (
    <Card
      title="Tokens"
      flush
      aside={
        <>
          {endedCount > 0 && (
            <label className={css.check}>
              <input type="checkbox" checked={ended} onChange={(event) => onEnded(event.target.checked)} />{' '}
              show {endedCount} that count no more
            </label>
          )}
          <Button
            size="s"
            look="primary"
            icon={<Plus size={14} aria-hidden="true" />}
            disabledBecause={blocked}
            onClick={() => setMaking(true)}
          >
            New token…
          </Button>
        </>
      }
    >
      <Loaded query={query} lines={5}>
        {() =>
          shown.length === 0 ? (
            <EmptyState icon={<KeyRound size={20} />} title="No token counts">
              You are here with a one-time link or an identity provider. Make a token for whoever should come
              back without one.
            </EmptyState>
          ) : (
            <Table
              edged
              caption="Tokens by name"
              rows={shown}
              rowKey={(token) => token.id}
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  cell: (token) => (
                    <>
                      {token.name} <code className={css.id}>{token.id}</code>
                    </>
                  ),
                },
                { key: 'role', title: 'Role', cell: (token) => token.role },
                { key: 'scope', title: 'May touch', cell: (token) => scopeWords(token.scope) },
                { key: 'state', title: 'State', cell: (token) => <State token={token} now={now} /> },
                { key: 'made', title: 'Made', cell: (token) => <Made token={token} /> },
                {
                  key: 'used',
                  title: 'Last used',
                  cell: (token) => usedWords(token, now),
                },
                {
                  key: 'do',
                  title: <span className="visually-hidden">Do</span>,
                  numeric: true,
                  cell: (token) =>
                    tokenState(token, now) === 'counts' && (
                      <Button
                        size="s"
                        disabledBecause={blocked}
                        aria-label={`Revoke ${token.name} ${token.id}…`}
                        onClick={() => setEnding(token)}
                      >
                        Revoke…
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {making && <NewTokenDialog onClose={() => setMaking(false)} />}
      {ending && <RevokeDialog token={ending} onClose={() => setEnding(null)} />}
    </Card>
  );
}

/** The desk knows it to the minute. */
function usedWords(token: Token, now: number): string {
  if (!token.usedWall) return 'never';
  const ago = now - token.usedWall;
  return ago < 60_000 ? 'just now' : `${span(ago)} ago`;
}

function Made({ token }: { token: Token }) {
  return (
    <>
      {wallMoment(token.createdWall).slice(0, 16)} <span className={css.muted}>by {token.createdBy}</span>
    </>
  );
}

const LOOKS: Record<TokenState, { tone: 'good' | 'neutral'; Icon: typeof Ban }> = {
  counts: { tone: 'good', Icon: CircleCheck },
  expired: { tone: 'neutral', Icon: Clock3 },
  revoked: { tone: 'neutral', Icon: Ban },
};

function State({ token, now }: { token: Token; now: number }) {
  const state = tokenState(token, now);
  const { tone, Icon } = LOOKS[state];
  const left = token.expiresWall ? token.expiresWall - now : null;
  const words =
    state === 'counts' ? (left === null ? 'counts without end' : `counts for ${span(left)}`) : state;
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
      {words}
    </Badge>
  );
}
