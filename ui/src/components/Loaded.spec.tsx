// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { errorOf } from '../api/errors';
import { LiveContext } from '../live/LiveContext';
import type { LiveStore } from '../live/liveStore';
import type { Liveness } from '../live/state';
import { Loaded } from './Loaded';

/** A desk that gives these answers one after the other, and the last for ever. */
function show(answers: (string | Error)[], liveness: Liveness = { is: 'live' }) {
  let asked = 0;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const store: LiveStore = {
    subscribe: () => () => undefined,
    current: () => liveness,
    start: () => undefined,
    stop: () => undefined,
  };
  function Part() {
    const query = useQuery({
      queryKey: ['part'],
      queryFn: () => {
        const answer = answers[Math.min(asked++, answers.length - 1)] ?? '';
        return answer instanceof Error ? Promise.reject(answer) : answer;
      },
    });
    return <Loaded query={query}>{(text) => <p>{text}</p>}</Loaded>;
  }
  render(
    <LiveContext value={store}>
      <QueryClientProvider client={client}>
        <Part />
      </QueryClientProvider>
    </LiveContext>,
  );
  return client;
}

const FAILED = errorOf(500, null);

test('what could not be renewed stays, says since when, and can be asked for again', async () => {
  const client = show(['six pods', FAILED, 'seven pods']);
  expect(await screen.findByText('six pods')).toBeTruthy();
  await client.invalidateQueries();
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toMatch(/Not renewed since \d\d:\d\d:\d\d\./);
  expect(screen.getByText('six pods')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('seven pods')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('without a line the banner says it once, and not every part again', async () => {
  const client = show(['six pods', FAILED], { is: 'stale', forSeconds: 40 });
  await screen.findByText('six pods');
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState(['part'])?.status).toBe('error'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what never came says why', async () => {
  show([FAILED]);
  expect((await screen.findByRole('alert')).textContent).toContain('failed');
});
