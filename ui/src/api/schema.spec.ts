// @vitest-environment node
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SCHEMA_FILE, schemaText } from '../../scripts/schema.mjs';

test('the types are those of the contract; `npm run schema` writes them', async () => {
  expect(await readFile(SCHEMA_FILE, 'utf8')).toBe(await schemaText());
});
