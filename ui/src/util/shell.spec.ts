import { expect, test } from 'vitest';
import { commandLine } from './shell';

test('words that a shell would take apart are quoted, and missing ones left out', () => {
  expect(commandLine('drover', 'rec', 'reject', 'R-4', '--note', "it's too late", null, false)).toBe(
    "drover rec reject R-4 --note 'it'\\''s too late'",
  );
});
