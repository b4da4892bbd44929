// The map of the page: every screen has an address, and every filter is in it.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import { ApiError } from './api/errors';
import { sessionQuery } from './api/queries';
import { ErrorNotice } from './components/ErrorNotice';
import { lazyPart } from './components/lazyPart';
import { NotFound } from './components/NotFound';
import { Shell } from './components/shell/Shell';
import { parseAgentSearch } from './pages/agents/search';
import { parseAuditSearch } from './pages/audit/search';
import { parseClusterSearch, parseClustersSearch } from './pages/clusters/search';
import { parseCompareSearch } from './pages/compare/search';
import { parseOverviewSearch } from './pages/overview/search';
import { parseRecommendationsSearch } from './pages/recommendations/search';
import { parseSettingsSearch } from './pages/settings/search';
import { parseWorkloadsSearch } from './pages/workloads/search';
import { textIn } from './util/search';

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { to?: string | undefined } => ({ to: textIn(raw, 'to') }),
  component: lazyPart(() => import('./pages/sign-in/SignInPage')),
});

function WithoutSession({ error }: { error: unknown }) {
  const router = useRouter();
  return <ErrorNotice error={error} onRetry={() => void router.invalidate()} />;
}

/** Everything behind the door. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  // Nobody knows yet who is there, so there is no shell around this.
  errorComponent: WithoutSession,
  beforeLoad: async ({ context, location }) => {
    const code = new URLSearchParams(location.searchStr).has('code') || location.hash.startsWith('code=');
    if (code) throw redirect({ href: `/sign-in${location.searchStr}#${location.hash}` });
    try {
      await context.client.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        throw redirect({ to: '/sign-in', search: { to: location.href === '/' ? undefined : location.href } });
      }
      throw error;
    }
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: parseOverviewSearch,
  component: lazyPart(() => import('./pages/overview/OverviewPage')),
});
const recommendations = createRoute({
  getParentRoute: () => inside,
  path: '/recommendations',
  validateSearch: parseRecommendationsSearch,
  component: lazyPart(() => import('./pages/recommendations/RecommendationsPage')),
});
const decision = createRoute({
  getParentRoute: () => inside,
  path: '/recommendations/$id',
  component: lazyPart(() => import('./pages/decision/DecisionPage')),
});
const clusters = createRoute({
  getParentRoute: () => inside,
  path: '/clusters',
  validateSearch: parseClustersSearch,
  component: lazyPart(() => import('./pages/clusters/ClustersPage')),
});
const cluster = createRoute({
  getParentRoute: () => inside,
  path: '/clusters/$name',
  validateSearch: parseClusterSearch,
  component: lazyPart(() => import('./pages/clusters/ClusterPage')),
});
const workloads = createRoute({
  getParentRoute: () => inside,
  path: '/workloads',
  validateSearch: parseWorkloadsSearch,
  component: lazyPart(() => import('./pages/workloads/WorkloadsPage')),
});
const workload = createRoute({
  getParentRoute: () => inside,
  path: '/workloads/$kind/$namespace/$name',
  component: lazyPart(() => import('./pages/workloads/WorkloadPage')),
});
const agents = createRoute({
  getParentRoute: () => inside,
  path: '/agents',
  component: lazyPart(() => import('./pages/agents/AgentsPage')),
});
const agent = createRoute({
  getParentRoute: () => inside,
  path: '/agents/$name',
  validateSearch: parseAgentSearch,
  component: lazyPart(() => import('./pages/agents/AgentPage')),
});
const runs = createRoute({
  getParentRoute: () => inside,
  path: '/runs',
  component: lazyPart(() => import('./pages/runs/RunsPage')),
});
const compare = createRoute({
  getParentRoute: () => inside,
  path: '/compare',
  validateSearch: parseCompareSearch,
  component: lazyPart(() => import('./pages/compare/ComparePage')),
});
const audit = createRoute({
  getParentRoute: () => inside,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyPart(() => import('./pages/audit/AuditPage')),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: parseSettingsSearch,
  component: lazyPart(() => import('./pages/settings/SettingsPage')),
});

const tree = root.addChildren([
  signIn,
  inside.addChildren([
    overview,
    recommendations,
    decision,
    clusters,
    cluster,
    workloads,
    workload,
    agents,
    agent,
    runs,
    compare,
    audit,
    settings,
  ]),
]);

export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: 'intent',
    // Of a page that fails, the shell around it stays.
    defaultErrorComponent: ({ error, reset }) => <ErrorNotice error={error} onRetry={reset} />,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
