// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorOf, unreachable } from '../api/errors';
import { useKey } from './useKey';

test.each([
  ['after a refusal the next try is another request', errorOf(409, null), true],
  ['after silence it is the same', unreachable(new Error('cut')), false],
  ['an error of the page itself was no answer', new Error('oh'), false],
])('%s', (_, error, renewed) => {
  const { result } = renderHook(useKey);
  const before = result.current.key;
  act(() => result.current.renewAfter(error));
  expect(result.current.key !== before).toBe(renewed);
});
