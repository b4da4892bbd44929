import { expect, test } from 'vitest';
import { codeInAddress, safeDestination } from './address';

test.each([
  ['?code=abc', '', 'abc'],
  ['', '#code=abc', 'abc'],
  ['?code=old', '#code=new', 'new'],
  ['?code=%22123%22', '', '123'],
  ['?to=/audit', '', null],
])('the code of %s%s is %s', (search, hash, code) => expect(codeInAddress(search, hash)).toBe(code));

test.each([
  ['/recommendations?stage=pending', '/recommendations?stage=pending'],
  ['//elsewhere.example', '/'],
  ['https://elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/sign-in?to=/', '/'],
  [undefined, '/'],
])('from %s one goes to %s', (to, destination) => expect(safeDestination(to)).toBe(destination));
