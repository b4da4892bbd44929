import { expect, test } from 'vitest';
import { errorOf } from '../../api/errors';
import { isVoid } from './WayOn';

const problem = (code: string) =>
  errorOf(409, { title: 'No', detail: 'No.', status: 409, code, retryable: false });

test.each([
  ['plan-stale', true],
  ['plan-superseded', true],
  ['version-changed', false],
  ['rate-limited', false],
])('after %s the plan is void: %s', (code, is) => expect(isVoid(problem(code))).toBe(is));
