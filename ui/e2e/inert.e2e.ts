// Whatever clusters, programs and models write is letters here: it makes no element, runs nothing, asks nobody, and hides nothing.
import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { test } from './lived';
import { DECISION, named, show } from './screens';
import { complaints, expectNothingSideways } from './verbs';

interface Hostile {
  piece: string;
  times: number;
}

const CORPUS = (
  JSON.parse(readFileSync(new URL('worlds/red-team.json', import.meta.url), 'utf8')) as Hostile[]
).map(({ piece, times }) => piece.repeat(times));

/** As much as is shown of the longest at first. */
const BEGINNING = 60;

interface Watched {
  heard: string[];
  asked: string[];
}

/** What the browser complains about, opens, or asks elsewhere. */
function watch(page: Page, address: string): Watched {
  const heard = complaints(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    heard.push(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) asked.push(request.url());
  });
  return { heard, asked };
}

/** Nothing in the page has come out of a text. */
async function expectInert(page: Page, { heard, asked }: Watched): Promise<void> {
  const found = await page.evaluate(() => {
    const made =
      'img, script, iframe, object, embed, base, meta[http-equiv], form, marquee, video, audio, b b, style';
    const elements = [...document.body.querySelectorAll(made)].map((element) =>
      element.outerHTML.slice(0, 120),
    );
    const handlers = [...document.body.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    );
    const elsewhere = [...document.querySelectorAll('a')]
      .map((link) => link.href)
      .filter((address) => address && !address.startsWith(location.origin));
    return [...elements, ...handlers, ...elsewhere];
  });
  expect(found).toEqual([]);
  expect(heard).toEqual([]);
  expect(asked).toEqual([]);
  await expect(page).toHaveTitle(/Drover/);
}

/** Every text is there to be read, letter by letter. */
async function expectRead(page: Page, texts: readonly string[]): Promise<void> {
  const beginnings = texts.map((text) => text.slice(0, BEGINNING).trim()).filter(Boolean);
  const missing = await page.evaluate((wanted) => {
    const shown = document.body.textContent ?? '';
    return wanted.filter((text) => !shown.includes(text));
  }, beginnings);
  expect(missing).toEqual([]);
}

test('in a decision: reason, evidence, alternatives and what models said', async ({ inside, lived }) => {
  await inside.route(/\/api\/v1\/recommendations\/R-\d+$/, async (route) => {
    const answer = await route.fetch();
    const detail = (await answer.json()) as object;
    const json = {
      ...detail,
      reason: CORPUS.filter((text) => text.length < 300).join('\n'),
      evidence: CORPUS.map((text, index) => ({ subject: `${index}`, signal: text, value: '1' })),
      alternatives: CORPUS.map((text, index) => ({ option: `${index} ${text}`, rejectedBecause: text })),
      opinions: CORPUS.map((words, index) => ({
        by: `role ${index} ${words.slice(0, 40)}`,
        model: words.slice(0, 40),
        verdict: 'against',
        weight: 1,
        words,
      })),
    };
    await route.fulfill({ response: answer, json });
  });
  const watched = watch(inside, lived.desk.address);
  await show(inside, lived, DECISION);
  const more = inside.getByRole('button', { name: /^\d+ more$/ });
  while ((await more.count()) > 0) await more.first().click();
  await expectRead(inside, CORPUS);
  await expectInert(inside, watched);
  await expectNothingSideways(inside);
  await expect(inside.getByRole('button', { name: 'Approve…' })).toBeInViewport({ ratio: 1 });
});

test('in the correspondence with models', async ({ inside, lived }) => {
  const calls = CORPUS.map((text, index) => ({
    role: `${index}`,
    model: text.slice(0, 40),
    maxTokens: 800,
    key: `${index}`,
    sentCharacters: text.length,
    messages: [{ speaker: 'user', text }],
    reply: {
      complete: true,
      promptTokens: 1,
      completionTokens: 1,
      costMicroDollars: 1,
      took: 1,
      tries: 1,
      text,
    },
  }));
  const faults = CORPUS.map((text, index) => ({ role: `${index}`, kind: 'form', text }));
  const question = {
    seq: 1,
    number: 1,
    at: 0,
    atWall: 0,
    state: 'answered',
    calls,
    faults,
    askedAgain: false,
  };
  await inside.route(/\/questions$/, (route) => route.fulfill({ json: [question] }));
  await inside.route(/\/questions\/1$/, (route) => route.fulfill({ json: question }));
  const watched = watch(inside, lived.desk.address);
  await show(inside, lived, named('agent'));
  await inside.getByRole('button', { name: 'Read question 1' }).click();
  await expect(inside.getByRole('dialog', { name: /^Question 1/ })).toBeVisible();
  await expect(inside.getByRole('region', { name: /^0, / })).toBeVisible();
  await expectRead(inside, CORPUS);
  await expectInert(inside, watched);
});

test('in lists and in the record', async ({ inside, lived }) => {
  const named = (text: string, index: number) => `${index} ${text}`.slice(0, 400);
  await inside.route(/\/api\/v1\/recommendations\?/, async (route) => {
    const answer = await route.fetch();
    const page = (await answer.json()) as { items: object[] };
    const [first] = page.items;
    const items = CORPUS.slice(0, 12).map((text, index) => ({
      ...first,
      id: `R-${900 + index}`,
      reason: named(CORPUS[CORPUS.length - 1 - index] ?? text, index),
      agent: named(text, index),
      workload: `deployment/default/${text.slice(0, 200)}`,
    }));
    await route.fulfill({ response: answer, json: { ...page, items, total: items.length } });
  });
  await inside.route(/\/api\/v1\/audit\?/, async (route) => {
    const answer = await route.fetch();
    const page = (await answer.json()) as { items: { body: unknown }[] };
    const items = page.items.map((entry, index) => ({ ...entry, body: CORPUS[index % CORPUS.length] }));
    await route.fulfill({ response: answer, json: { ...page, items } });
  });
  const watched = watch(inside, lived.desk.address);
  await inside.goto(`${lived.desk.address}/recommendations?stage=all`);
  await expect(inside.getByText('R-900', { exact: true })).toBeVisible();
  await expectInert(inside, watched);
  await inside.goto(`${lived.desk.address}/audit`);
  const rows = inside.getByRole('table', { name: 'Entries of the record' }).getByRole('row');
  await rows.nth(1).getByRole('link').first().click();
  await expect(inside.getByRole('complementary', { name: /^Entry \d+$/ })).toBeVisible();
  await expectInert(inside, watched);
});
