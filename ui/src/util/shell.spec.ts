import { expect, test } from 'vitest';
import { commandLine, requestLine } from './shell';

test('words that a shell would take apart are quoted, and missing ones left out', () => {
  expect(commandLine('drover', 'rec', 'reject', 'R-4', '--note', "it's too late", null, false)).toBe(
    "drover rec reject R-4 --note 'it'\\''s too late'",
  );
});

test('a request carries a token that the shell knows, and a body if there is one', () => {
  expect(requestLine('http://desk/api/v1/x')).toBe(
    'curl http://desk/api/v1/x -H "authorization: Bearer $DROVER_TOKEN" -X POST',
  );
  expect(requestLine('http://desk/api/v1/x', { why: "it's" })).toBe(
    `curl http://desk/api/v1/x -H "authorization: Bearer $DROVER_TOKEN" --json '{"why":"it'\\''s"}'`,
  );
});
