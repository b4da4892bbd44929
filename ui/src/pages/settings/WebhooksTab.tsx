// Who is told what happens. Whom to tell stands in the desk's file; here one sees how it goes.
import { useQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries';
import { webhooksQuery, type DeliveryState } from '../../api/webhooks';
import { Loaded } from '../../components/Loaded';
import { NoPermission } from '../../components/NoPermission';
import { Card } from '../../ui/Card';
import { Copyable } from '../../ui/Copyable';
import { EmptyState } from '../../ui/EmptyState';
import { DeliveriesCard } from './DeliveriesCard';
import { WebhookDialog, type Errand } from './WebhookDialog';
import { WebhookTable } from './WebhookTable';
import css from './settings.module.css';

interface Props {
  /** Whose deliveries are shown; the first one's by default. */
  hook: string | undefined;
  state: DeliveryState | undefined;
  onChange: (change: { hook?: string | undefined; state?: DeliveryState | undefined }) => void;
}

const EXAMPLE =
  'webhooks: [{ name: pager, url: "https://hooks.example.org/drover", secret: env:PAGER_SECRET }]';

export function WebhooksTab({ hook, state, onChange }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const may = session?.rights.includes('audit') ?? true;
  const query = useQuery({ ...webhooksQuery, enabled: may });
  const [errand, setErrand] = useState<Errand | null>(null);
  if (!may) return <NoPermission what="Webhooks are" roles="admin or auditor" />;
  return (
    <Loaded query={query} lines={5}>
      {(hooks) => {
        const shown = hooks.find(({ name }) => name === hook) ?? hooks[0];
        return (
          <div className={css.stack}>
            <Card title="Webhooks" flush aside="named in the desk’s file">
              {shown ? (
                <WebhookTable
                  hooks={hooks}
                  shown={shown.name}
                  now={query.dataUpdatedAt}
                  onShow={(name) => onChange({ hook: name })}
                  onTest={(name) => setErrand({ do: 'test', name })}
                />
              ) : (
                <EmptyState icon={<BellOff size={20} />} title="Nobody is told what happens">
                  <p>
                    A desk can tell a pager or a chat of recommendations, executions, freezes and modes. Whom
                    to tell stands in its file, which is read when it is opened:
                  </p>
                  <Copyable block text={EXAMPLE} />
                </EmptyState>
              )}
            </Card>
            {shown && (
              <DeliveriesCard
                key={`${shown.name}/${state}`}
                name={shown.name}
                state={state}
                onState={(next) => onChange({ hook: shown.name, state: next })}
                onRetry={(delivery) => setErrand({ do: 'retry', name: shown.name, delivery })}
              />
            )}
            {errand && <WebhookDialog errand={errand} onClose={() => setErrand(null)} />}
          </div>
        );
      }}
    </Loaded>
  );
}
