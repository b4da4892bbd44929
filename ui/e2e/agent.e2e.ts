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
  const long = why.getByRole('button', { name: 'All of what consolidator said' });
  await expect(long).toHaveAttribute('aria-expanded', 'false');
  await long.click();
  await expect(why.getByRole('button', { name: 'Less of what consolidator said' })).toBeVisible();
  await expectAccessible(inside);
  await expectNothingSideways(inside);
  await inside.unrouteAll({ behavior: 'ignoreErrors' });
});
