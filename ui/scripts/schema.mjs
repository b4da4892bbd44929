// Writes src/api/schema.ts from the contract; `npm test` fails when somebody forgot to.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';

const HEAD = '// Generated from ../../../openapi.json by `npm run schema`; not to be edited.\n\n';

/** The text that schema.ts should have. */
export async function schemaText() {
  const contract = new URL('../../openapi.json', import.meta.url);
  const nodes = await openapiTypescript(JSON.parse(await readFile(contract, 'utf8')), {
    alphabetize: true,
    defaultNonNullable: false,
  });
  return HEAD + astToString(nodes);
}

export const SCHEMA_FILE = new URL('../src/api/schema.ts', import.meta.url);

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await writeFile(SCHEMA_FILE, await schemaText());
}
