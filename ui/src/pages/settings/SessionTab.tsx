// Who one is here, what one may do, and the way out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, LogOut, X } from 'lucide-react';
import { signOut } from '../../api/commands';
import { sessionQuery } from '../../api/queries';
import type { Right } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { wallMoment } from '../../util/time';
import { BackupCard } from './BackupCard';
import { RIGHTS, ROLES } from './roles';
import { scopeWords } from './scope';
import css from './settings.module.css';

export function SessionTab() {
  const query = useQuery(sessionQuery);
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = async () => {
    await signOut().catch(() => undefined);
    client.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Loaded query={query} lines={6}>
      {(session) => (
        <div className={css.two}>
          <Card title="You">
            <dl className={css.facts}>
              <dt>Name</dt>
              <dd>
                <b>{session.name}</b>
              </dd>
              <dt>Role</dt>
              <dd>
                {session.role}
                <span className={css.muted}> · {ROLES.find((one) => one.role === session.role)?.says}</span>
              </dd>
              <dt>May touch</dt>
              <dd>{scopeWords(session.scope)}</dd>
              <dt>Known by</dt>
              <dd>{session.by}</dd>
              {session.expiresWall && (
                <>
                  <dt>Ends if nothing happens</dt>
                  <dd>{wallMoment(session.expiresWall)}</dd>
                </>
              )}
              {session.endsWall && (
                <>
                  <dt>Ends whatever happens</dt>
                  <dd>{wallMoment(session.endsWall)}</dd>
                </>
              )}
            </dl>
            <div className={css.actions}>
              <Button icon={<LogOut size={15} aria-hidden="true" />} onClick={() => void leave()}>
                Sign out
              </Button>
            </div>
          </Card>
          <Card title="What you may do">
            <ul className={css.rights}>
              {(Object.keys(RIGHTS) as Right[]).map((right) => {
                const has = session.rights.includes(right);
                return (
                  <li key={right} data-missing={!has || undefined}>
                    {has ? <Check size={15} aria-hidden="true" /> : <X size={15} aria-hidden="true" />}
                    <span>
                      {RIGHTS[right]}
                      {!has && ' (not with your role)'}
                    </span>
                  </li>
                );
              })}
            </ul>
          </Card>
          <BackupCard may={session.rights.includes('administer')} />
        </div>
      )}
    </Loaded>
  );
}
