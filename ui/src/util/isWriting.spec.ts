// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { isWriting } from './chord';

function element(tag: string, type?: string): HTMLElement {
  const made = document.createElement(tag);
  if (type) made.setAttribute('type', type);
  return made;
}

test.each([
  ['input', 'text', true],
  ['input', 'search', true],
  ['textarea', undefined, true],
  ['select', undefined, true],
  ['input', 'range', false],
  ['input', 'checkbox', false],
  ['input', 'radio', false],
  ['button', undefined, false],
])('at <%s type=%s> somebody writes: %s', (tag, type, writing) =>
  expect(isWriting(element(tag, type))).toBe(writing),
);
