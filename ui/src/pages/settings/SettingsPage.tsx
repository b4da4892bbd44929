// How the desk and this browser are set up.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries';
import { PageHeader } from '../../components/PageHeader';
import { Tabs } from '../../ui/Tabs';
import { AppearanceTab } from './AppearanceTab';
import { FreezesTab } from './FreezesTab';
import { GuardrailsTab } from './GuardrailsTab';
import { ModesTab } from './ModesTab';
import { SessionTab } from './SessionTab';
import { TokensTab } from './TokensTab';
import { WebhooksTab } from './WebhooksTab';

const route = getRouteApi('/inside/settings');

export default function SettingsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const first = session?.rights.includes('administer') ? 'tokens' : 'modes';
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        value={search.tab ?? first}
        onChange={(tab) => void navigate({ search: { tab }, replace: true })}
        tabs={[
          {
            name: 'tokens',
            title: 'Tokens',
            content: (
              <TokensTab
                ended={search.ended === true}
                onEnded={(ended) =>
                  void navigate({ search: { ...search, ended: ended || undefined }, replace: true })
                }
              />
            ),
          },
          { name: 'modes', title: 'Modes', content: <ModesTab /> },
          { name: 'guardrails', title: 'Guardrails', content: <GuardrailsTab /> },
          { name: 'freezes', title: 'Freezes', content: <FreezesTab /> },
          {
            name: 'webhooks',
            title: 'Webhooks',
            content: (
              <WebhooksTab
                hook={search.hook}
                state={search.deliveries}
                onChange={({ hook, state }) =>
                  void navigate({ search: { tab: 'webhooks', hook, deliveries: state }, replace: true })
                }
              />
            ),
          },
          { name: 'appearance', title: 'Appearance', content: <AppearanceTab /> },
          { name: 'session', title: 'This session', content: <SessionTab /> },
        ]}
      />
    </>
  );
}
