import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { refresh } from './refresh';

const client = new QueryClient();
afterEach(() => client.clear());

/** A question on the page, whose answers come when they are given. */
function asked() {
  const answers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['clusters'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  return { answers, leave, shown: () => client.getQueryData(['clusters']) };
}

test('a first answer that was under way when it became old is asked for again', async () => {
  const { answers, leave, shown } = asked();
  const done = refresh(client, ['clusters']);
  answers[0]?.('old');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('new');
  await done;
  expect(shown()).toBe('new');
  leave();
});

test('an answer that is there is asked for again once', async () => {
  const { answers, leave, shown } = asked();
  answers[0]?.('old');
  await vi.waitFor(() => expect(shown()).toBe('old'));
  const done = refresh(client);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('new');
  await done;
  expect([shown(), answers.length]).toEqual(['new', 2]);
  leave();
});
