import { expect, test } from 'vitest';
import { tokenState } from './tokenState';

const token = {
  id: 'T-1',
  name: 'anna',
  role: 'admin',
  scope: { clusters: [], namespaces: [] },
  createdBy: 'person:ben',
  createdWall: 0,
};

test('a token counts until it expires or somebody ends it', () => {
  expect(tokenState(token, 5)).toBe('counts');
  expect(tokenState({ ...token, expiresWall: 6 }, 5)).toBe('counts');
  expect(tokenState({ ...token, expiresWall: 5 }, 5)).toBe('expired');
  expect(tokenState({ ...token, expiresWall: 6, revokedWall: 4 }, 5)).toBe('revoked');
});
