// What an agent may still do within the hour, what it saw when it decided, and what models said to it.
import { expect } from '@playwright/test';
import { test } from './lived';
import { DECISION, named, show } from './screens';
import { expectAccessible, expectNothingSideways, signIn } from './verbs';

test('an agent’s page tells what is used up this hour', async ({ inside, lived }) => {
  await show(inside, lived, named('agent'));
  const facts = inside.getByRole('region', { name: 'In short' });
  await expect(facts.getByText(/^Passed without a person: \d+ of 6$/)).toBeVisible();
  await expect(facts.getByText(/^in namespace batch, still for/)).toBeVisible();
});

test('what an agent saw is shown as it was given, and found in the record', async ({ inside, lived }) => {
  await show(inside, lived, named('agent'));
  await inside
    .getByRole('button', { name: /^What it saw at/ })
    .first()
    .click();
  const dialog = inside.getByRole('dialog', { name: /^What it saw at/ });
  const snapshot = dialog.getByRole('region', { name: 'The snapshot' });
  await expect(snapshot.getByText('clusters', { exact: true })).toBeVisible();
  await expect(snapshot.getByText('member1', { exact: true }).first()).toBeVisible();
  await expectAccessible(inside);
  await dialog
    .getByRole('link', { name: /^Entry \d+ of the record$/ })
    .first()
    .click();
  await expect(inside.getByRole('complementary', { name: /^Entry \d+$/ })).toBeVisible();
});

test('a viewer sees the number of an entry, but no way to a record that is not theirs', async ({
  page,
  lived,
}) => {
  const wish = { name: 'viola', role: 'viewer' };
  const { body } = await lived.desk.ask<{ secret: string }>('POST', '/tokens', wish);
  await signIn(page, { address: lived.desk.address, token: body.secret });
  await show(page, lived, named('agent'));
  await expect(
    page
      .getByRole('table', { name: /^Last decisions/ })
      .getByText(/^#\d+$/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /of the record$/ })).toHaveCount(0);
});

/** Whatever a model writes stays letters. */
const WORDS =
  '<img src=x onerror="document.title=1"><b>Never</b> [move](https://example.org) this.\nIt is slow.';

test('what models said is read as text, with votes, weights and dissent', async ({ inside, lived }) => {
  const opinions = [
    { by: 'cost', model: 'small-1', verdict: 'for', weight: 2, strength: 0.8, words: 'It is cheaper.' },
    { by: 'performance', model: 'small-1', verdict: 'against', weight: 1, strength: 0.55, words: WORDS },
    { by: 'energy', model: 'large-2', verdict: 'abstained', weight: 1, words: '' },
    { by: 'consolidator', model: 'large-2', verdict: 'for', weight: 3, words: 'Long. '.repeat(200) },
  ];
  await inside.route(/\/api\/v1\/recommendations\/R-\d+$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), opinions } });
  });
  await show(inside, lived, DECISION);
  const why = inside.getByRole('region', { name: /Why now/ });
  await expect(why.getByText('5 of 6 for it, 1 against, 1 abstained, by weight')).toBeVisible();
  await expect(why.getByText('they disagree')).toBeVisible();
  const rows = why.getByRole('listitem').filter({ hasText: 'weight' });
  await expect(rows.first()).toContainText('performance');
  await expect(rows.first()).toContainText('against it');
  await expect(rows.first()).toContainText('small-1, weight 1, 55 % sure');
  await expect(rows.first()).toContainText('<b>Never</b> [move](https://example.org)');
  await expect(why.locator('img, a[href*="example"]')).toHaveCount(0);
  await why.getByRole('button', { name: '1 more' }).click();
  await expect(rows).toHaveCount(4);
  const long = why.getByRole('button', { name: /^all of it.*what consolidator said$/ });
  await expect(long).toHaveAttribute('aria-expanded', 'false');
  await long.click();
  await expect(why.getByRole('button', { name: /^less.*what consolidator said$/ })).toBeVisible();
  await expectAccessible(inside);
  await expectNothingSideways(inside);
  await inside.unrouteAll({ behavior: 'ignoreErrors' });
});

test('what was asked of models, what came back and why it was not taken over', async ({ inside, lived }) => {
  const reply = (text: string | null, more: object = {}) => ({
    complete: true,
    promptTokens: 1840,
    completionTokens: 212,
    costMicroDollars: 2350,
    took: 1900,
    tries: 1,
    text,
    ...more,
  });
  const call = (role: string, rest: object) => ({
    role,
    model: 'vendor/small-1',
    temperature: 0,
    maxTokens: 800,
    key: role,
    sentCharacters: 5120,
    messages: [
      { speaker: 'system', text: 'You keep clusters below their limits. '.repeat(40) },
      { speaker: 'user', text: '{"candidates": ["M-1", "M-2"]}' },
    ],
    schema: { type: 'object', required: ['decision'] },
    ...rest,
  });
  const question = {
    seq: 845,
    number: 3,
    at: 12_000_000,
    atWall: 0,
    state: 'answered',
    answeredSeq: 846,
    answeredAt: 12_002_000,
    calls: [
      call('performance', { reply: reply(`\`\`\`json\n{"decision": "M-9"}\n\`\`\`\n${WORDS}`) }),
      call('cost', { reply: reply(null, { failure: 'timed_out', message: 'no answer in 30 s', tries: 3 }) }),
    ],
    faults: [
      { role: 'performance', kind: 'invented_id', text: 'M-9 is none of the candidates M-1, M-2' },
      { role: 'cost', kind: 'no_answer', text: 'it did not answer' },
    ],
    askedAgain: true,
  };
  await inside.route(/\/agents\/keep-headroom\/questions$/, (route) => route.fulfill({ json: [question] }));
  await inside.route(/\/agents\/keep-headroom\/questions\/845$/, (route) =>
    route.fulfill({ json: question }),
  );
  await show(inside, lived, named('agent'));
  const table = inside.getByRole('table', { name: /^What it asked models/ });
  await expect(table.getByText('2 calls to vendor/small-1')).toBeVisible();
  await expect(table.getByText('2 faults, asked again')).toBeVisible();
  await expect(table.getByText('$0.0047')).toBeVisible();
  await table.getByRole('button', { name: 'Read question 3' }).click();

  const dialog = inside.getByRole('dialog', { name: /^Question 3/ });
  const performance = dialog.getByRole('region', { name: 'performance, vendor/small-1' });
  await expect(performance.getByText(/M-9 is none of the candidates/)).toBeVisible();
  await expect(performance.getByText(/<b>Never<\/b> \[move\]/)).toBeVisible();
  await expect(performance.getByText(/1 840 tokens in, 212 out · \$0\.0024/)).toBeVisible();
  await performance.getByRole('button', { name: /^all of it.*what system says to performance$/ }).click();
  const cost = dialog.getByRole('region', { name: 'cost, vendor/small-1' });
  await expect(cost.getByText('timed out')).toBeVisible();
  await expect(cost.getByText('no answer in 30 s')).toBeVisible();
  await expect(cost.getByText(/3 tries/)).toBeVisible();
  await expect(dialog.locator('img, a[href*="example"]')).toHaveCount(0);
  await expectAccessible(inside);
  await expectNothingSideways(inside);
});
