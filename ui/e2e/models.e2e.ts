// An agent that asks language models: what they said stands beside the plan, and the whole correspondence on the agent's page.
import { expect, test as base } from '@playwright/test';
import { startDesk, type Desk } from './desk';
import { until } from './program';
import { startTalker, type Asked } from './talker';
import { expectAccessible, expectLive, signIn } from './verbs';

const WARY = '<img src=x onerror=alert(1)> Moving costs more than waiting.';

/** One is for everything, one against, and one does not keep to the form. */
function say({ model, candidates }: Asked): string {
  if (model === 'silent') return 'I would rather talk about the weather.';
  const verdict = model === 'eager' ? 'for' : 'against';
  const reason = model === 'eager' ? 'Pods wait for a node.' : WARY;
  const judgements = candidates.map((candidate) => ({ candidate, verdict, strength: 0.8, reason }));
  return `Here you are:\n\`\`\`json\n${JSON.stringify({ judgements })}\n\`\`\``;
}

const test = base.extend<{ asking: Desk }>({
  asking: async ({}, use) => {
    const talker = await startTalker(say);
    const desk = await startDesk({ world: 'asking', models: talker.endpoint });
    await use(desk);
    await desk.stop();
    await talker.close();
  },
});

test('votes, dissent and every word are there, and nothing of it runs', async ({ page, asking }) => {
  await asking.advance(61);
  // Answers come over the network, and count from the moment at which they are there.
  const id = await until(async () => {
    await asking.advance(5);
    const { body } = await asking.ask<{ items: { id: string }[] }>('GET', '/recommendations?stage=pending');
    return body.items[0]?.id ?? null;
  }, 'a recommendation of models');
  await signIn(page, asking);
  await page.goto(`${asking.address}/recommendations/${id}`);
  const why = page.getByRole('region', { name: /Why now/ });
  await expect(why.getByText('3 of 4 for it, 1 against, 1 abstained, by weight')).toBeVisible();
  await expect(why.getByText('they disagree')).toBeVisible();
  await expect(why.getByText(/Moving costs more than waiting/)).toBeVisible();
  await expect(why.locator('img')).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`${asking.address}/agents/advisor`);
  await expectLive(page);
  const table = page.getByRole('table', { name: /^What it asked models/ });
  await expect(table.getByText('3 calls to 3 models').first()).toBeVisible();
  await table
    .getByRole('button', { name: /^Read question/ })
    .last()
    .click();
  const dialog = page.getByRole('dialog', { name: /^Question \d+/ });
  const silent = dialog.getByRole('region', { name: 'energy, silent' });
  await expect(silent.getByText('I would rather talk about the weather.')).toBeVisible();
  await expect(silent.getByText('What was not taken over, and why')).toBeVisible();
  await expect(silent.getByText(/900 tokens in, 100 out/)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'cost, wary' }).getByText(/onerror=alert/)).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(0);
  await expectAccessible(page);
});
