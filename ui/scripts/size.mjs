// Says how much JavaScript the first load takes, compressed, and fails above the budget.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

/** The budget of the page: what a slow line loads in about two seconds. */
const BUDGET_KILOBYTES = 200;

const dist = new URL('../dist/', import.meta.url);
const html = await readFile(new URL('index.html', dist), 'utf8');
const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]);
let total = 0;
for (const file of files) {
  const size = gzipSync(await readFile(new URL(file, dist))).length;
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(7)} KB  ${file}`);
}
console.log(`${(total / 1024).toFixed(1).padStart(7)} KB  first load, of ${BUDGET_KILOBYTES}`);
if (files.length === 0 || total / 1024 > BUDGET_KILOBYTES) process.exit(1);
