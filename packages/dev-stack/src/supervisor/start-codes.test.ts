import { hash } from 'node:crypto';
import { limits } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { createStartCodes } from './start-codes.ts';

const sha256 = (code: string): string => hash('sha256', code, 'hex');

it('a code is redeemed once, by its hash, until it expires', () => {
  let clock = 0;
  const codes = createStartCodes(() => clock);
  const [first, second, third] = [codes.make('operator'), codes.make('admin'), codes.make('operator')];
  expect(Buffer.from(first, 'base64url')).toHaveLength(32);
  expect([codes.redeem(first), codes.redeem(sha256('another'))]).toEqual([null, null]);
  expect([codes.redeem(sha256(first)), codes.redeem(sha256(first))]).toEqual(['operator', null]);
  clock = limits.signInCodeMinutes * 60_000 - 1;
  expect(codes.redeem(sha256(second))).toBe('admin');
  clock += 1;
  expect(codes.redeem(sha256(third))).toBeNull();
  // What nobody redeems does not add up.
  codes.make('operator');
});
