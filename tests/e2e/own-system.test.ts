/**
 * What the shared system cannot serve: a switched trust policy, claim links that never expire, several proxies, and their replacement. All of it
 * fits into one separate system, because a system takes longer to start than most of these tests. The tests of trust policies come first:
 * they count the agents.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { afterAll, beforeAll, describe } from 'vitest';
import { startCheckedStack } from '../support/checked-stack.ts';
import { testDemoOnRequest } from './own-system/demo-on-request.ts';
import { testLinksWithoutExpiry } from './own-system/links-without-expiry.ts';
import { testMovedAgents } from './own-system/moved-agents.ts';
import { proxies, testSeveralPayProxies } from './own-system/several-pay-proxies.ts';
import { testTrustPolicies } from './own-system/trust-policies.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startCheckedStack({
    ...process.env,
    GATEWAYS: '2',
    CALL_PROXIES: '2',
    PAY_PROXIES: String(proxies.length),
    CLAIM_TOKEN_TTL_SECONDS: '0',
  });
});
afterAll(() => stack?.stop());

describe('trust policies', () => {
  testTrustPolicies(() => stack);
});
describe('with CLAIM_TOKEN_TTL_SECONDS=0', () => {
  testLinksWithoutExpiry(() => stack);
});
describe('moved agents', () => {
  testMovedAgents(() => stack);
});
describe('several pay-proxies', () => {
  testSeveralPayProxies(() => stack);
});
// It adds agents and calls, so it comes last.
describe('the demo on request', () => {
  testDemoOnRequest(() => stack);
});
