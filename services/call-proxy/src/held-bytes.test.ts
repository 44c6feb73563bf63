/** Bugs: one caller's long messages keep others out, or count as a failure of the service. */
import { DomainError } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { createHeldBytes, type HeldBytes } from './held-bytes.ts';
import { callProxyLimits } from './limits.ts';

const { perCallerMax, perOrgMax, ofOrgsMax, withoutOrgMax } = callProxyLimits.heldBytes;

/** Holds messages of this size until one is refused; how many were held, and whose limit it was. */
const fill = (held: HeldBytes, callers: (index: number) => Parameters<HeldBytes['holdMessage']>[0], bytes: number) => {
  for (let index = 0; ; index += 1) {
    try {
      held.holdMessage(callers(index), bytes);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { messages: index, code: error.code, limitedBy: error.limitedBy };
    }
  }
};

it('refuses an agent, and an organisation, what it may not hold, and says that the limit is theirs', () => {
  const held = createHeldBytes();
  const own = fill(held, () => ({ agentId: 'a', orgId: 'o' }), perCallerMax);
  expect(own).toEqual({ messages: 1, code: 'overloaded', limitedBy: 'caller' });
  const ofOrg = fill(held, (index) => ({ agentId: `b${index}`, orgId: 'o' }), perCallerMax);
  expect(ofOrg.limitedBy).toBe(perOrgMax < ofOrgsMax ? 'caller' : undefined);
  held.holdMessage({ agentId: 'c', orgId: 'other' }, perCallerMax);
});

it("refuses what all may not hold together, and says that it is nobody's own", () => {
  const held = createHeldBytes();
  const ofOrgs = fill(held, (index) => ({ agentId: `a${index}`, orgId: `o${index}` }), perCallerMax);
  expect(ofOrgs).toEqual({ messages: Math.floor(ofOrgsMax / perCallerMax), code: 'overloaded', limitedBy: undefined });
  const free = fill(held, (index) => ({ agentId: `f${index}`, orgId: null }), perCallerMax);
  expect(free).toEqual({
    messages: Math.floor(withoutOrgMax / perCallerMax),
    code: 'overloaded',
    limitedBy: undefined,
  });
});

it('holds short messages without counting them', () => {
  const held = createHeldBytes();
  fill(held, () => ({ agentId: 'a', orgId: null }), perCallerMax);
  expect(() => held.holdMessage({ agentId: 'a', orgId: null }, callProxyLimits.shortBytesMax)).not.toThrow();
});
