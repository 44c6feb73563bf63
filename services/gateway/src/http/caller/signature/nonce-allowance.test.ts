// Bug: one agent fills the store of nonces that all agents share, and nobody can sign any more. Method: one agent uses its whole allowance, then
// another one, then the first again after the window.
import { expect, it } from 'vitest';
import { HttpRefusal } from '../../error-answer.ts';
import type { LocalWindow } from '../../../rate-limit/local-window.ts';
import { signatureEdgeLimits, createNonceAllowance } from './nonce-store.ts';

const { noncesPerAgentMax, nonceWindowMs, countedAgentsMax } = signatureEdgeLimits;
const takeAll = (allowance: LocalWindow, keyId: string): void => {
  for (let count = 0; count < noncesPerAgentMax; count += 1) allowance.take(keyId);
};
const refusalOf = (allowance: LocalWindow, keyId: string): unknown => {
  try {
    allowance.take(keyId);
    return null;
  } catch (error) {
    return error;
  }
};

it('limits the nonces of each agent in a window', () => {
  let now = 1_000_000;
  const allowance = createNonceAllowance(() => now);
  takeAll(allowance, 'busy');
  const refused = refusalOf(allowance, 'busy');
  expect(refused).toBeInstanceOf(HttpRefusal);
  expect(refused).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '61' } });
  expect(refusalOf(allowance, 'other')).toBeNull();
  now += nonceWindowMs + 1;
  expect(refusalOf(allowance, 'busy')).toBeNull();
});

it('does not count a nonce that was returned', () => {
  const allowance = createNonceAllowance(() => 1_000_000);
  takeAll(allowance, 'busy');
  const other = createNonceAllowance(() => 1_000_000);
  for (let count = 0; count < 2 * noncesPerAgentMax; count += 1) other.take('replayed')();
  expect(refusalOf(other, 'replayed')).toBeNull();
  expect(refusalOf(allowance, 'busy')).not.toBeNull();
});

it('counts a limited number of agents', () => {
  const allowance = createNonceAllowance(() => 1_000_000);
  takeAll(allowance, 'first');
  for (let agent = 0; agent < countedAgentsMax - 1; agent += 1) allowance.take(`agent-${agent}`);
  expect(refusalOf(allowance, 'first')).not.toBeNull();
  allowance.take('one more');
  expect(refusalOf(allowance, 'first')).toBeNull();
});

// Bug: the nonce that an evicted agent is given back makes a new entry, which evicts another agent's: that one may begin anew.
it('gives nothing back to an agent that is no longer counted', () => {
  const allowance = createNonceAllowance(() => 1_000_000);
  const giveBack = allowance.take('evicted');
  takeAll(allowance, 'busy');
  for (let agent = 0; agent < countedAgentsMax - 1; agent += 1) allowance.take(`agent-${agent}`);
  giveBack();
  expect(refusalOf(allowance, 'busy')).not.toBeNull();
});

it('leaves capacity in the store for a hundred agents that use their whole allowance', () => {
  const windowMs = (2 * signatureEdgeLimits.skewSecondsMax + signatureEdgeLimits.nonceMarginSeconds) * 1_000;
  const bytesOfOne = 150 * noncesPerAgentMax * (windowMs / nonceWindowMs);
  expect(bytesOfOne * 90).toBeLessThan(signatureEdgeLimits.nonceBucketBytesMax);
});
