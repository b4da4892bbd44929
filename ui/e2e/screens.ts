// Every screen of the page, by the name under which its picture is kept, and when it is complete.
import { expect, type Locator, type Page } from '@playwright/test';
import { ANSWERED, type Lived } from './lived';

export interface Screen {
  name: string;
  path: (lived: Lived) => string;
  /** What is there when everything is. */
  complete: (page: Page) => Locator;
}

const at = (path: string) => () => path;
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name });
const chart = (page: Page) => page.getByRole('application').first();

export const OVERVIEW: Screen = { name: 'overview', path: at('/'), complete: chart };

/** Of what waits, the first; those after it are only to gain room. */
export function decision({ waiting }: Lived): string {
  return `/recommendations/${waiting[0]?.id ?? ''}`;
}

/** The one in the middle of everything. */
export const DECISION: Screen = {
  name: 'decision',
  path: decision,
  complete: (page) => page.getByText(/rehearsals of/),
};

export const SCREENS: Screen[] = [
  OVERVIEW,
  {
    name: 'looking-back',
    path: at('/?at=1560000'),
    complete: (page) => page.getByRole('link', { name: new RegExp(`${ANSWERED} .*now applied`) }),
  },
  {
    name: 'recommendations',
    path: ({ waiting }) =>
      `/recommendations?stage=all&chosen=${waiting
        .slice(0, 2)
        .map(({ id }) => id)
        .join(',')}`,
    complete: (page) => page.getByRole('region', { name: 'What they would bring together' }),
  },
  DECISION,
  {
    name: 'applied',
    path: at(`/recommendations/${ANSWERED}`),
    complete: (page) => page.getByText(/^\d+ of \d+ inside the interval$/),
  },
  {
    name: 'clusters',
    path: at('/clusters'),
    complete: (page) => page.getByRole('link', { name: 'member2' }).first(),
  },
  { name: 'cluster', path: at('/clusters/member1'), complete: chart },
  {
    name: 'cluster-nodes',
    path: at('/clusters/member1?tab=nodes'),
    complete: (page) => page.getByRole('table').first(),
  },
  {
    name: 'cluster-workloads',
    path: at('/clusters/member1?tab=workloads'),
    complete: (page) => page.getByRole('link', { name: /shop-mon-03/ }).first(),
  },
  {
    name: 'workloads',
    path: at('/workloads'),
    complete: (page) => page.getByRole('link', { name: /shop-mon-03/ }).first(),
  },
  {
    name: 'workload',
    path: ({ waiting }) => `/workloads/${waiting[0]?.workload ?? ''}`,
    complete: heading('Moves'),
  },
  {
    name: 'agents',
    path: at('/agents'),
    complete: (page) => page.getByRole('link', { name: 'keep-headroom' }).first(),
  },
  { name: 'agent', path: at('/agents/keep-headroom'), complete: heading('keep-headroom') },
  {
    name: 'runs',
    path: at('/runs'),
    complete: (page) => page.getByRole('link', { name: /^C-|three-waves/ }).first(),
  },
  {
    name: 'compare-start',
    path: at('/compare'),
    complete: (page) => page.getByRole('list', { name: 'Strategies' }),
  },
  {
    name: 'compare',
    path: ({ comparison }) => `/compare?id=${comparison}`,
    complete: heading('What can be said'),
  },
  {
    name: 'audit',
    path: at('/audit'),
    complete: (page) => page.getByRole('table', { name: 'Entries of the record' }),
  },
  {
    name: 'settings-webhooks',
    path: at('/settings?tab=webhooks&hook=pager'),
    complete: (page) => page.getByRole('row', { name: /^execution\.completed/ }).first(),
  },
  ...['tokens', 'modes', 'guardrails', 'freezes', 'appearance', 'session'].map((tab) => ({
    name: `settings-${tab}`,
    path: at(`/settings?tab=${tab}`),
    complete: (page: Page) => page.getByRole('tabpanel'),
  })),
];

/** One of them. */
export function named(name: string): Screen {
  const found = SCREENS.find((screen) => screen.name === name);
  if (!found) throw new Error(`there is no screen ${name}`);
  return found;
}

export async function show(page: Page, lived: Lived, screen: Screen): Promise<void> {
  await page.goto(lived.desk.address + screen.path(lived));
  await expect(screen.complete(page)).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // Pictures count as there only when they are decoded, and charts only after they were drawn.
  await page.evaluate(async () => {
    // Those further down are not loaded before somebody scrolls to them.
    const inView = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    await Promise.all(inView.map((image) => image.decode().catch(() => undefined)));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}
