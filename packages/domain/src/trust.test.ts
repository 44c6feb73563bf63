import { agentBlock, agentFlag, production } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { sandboxOf } from './testing/index.ts';
import { flagsOf, recommendedActionOf, shownTrustOf } from './trust.ts';

describe('the decision rule', () => {
  it.each([
    [100, 'proceed'],
    [70, 'proceed'],
    [69, 'proceed_with_limits'],
    [50, 'proceed_with_limits'],
    [49, 'abort'],
    [0, 'abort'],
  ])('%i: %s', (trustScore, action) => expect(recommendedActionOf(trustScore)).toBe(action));
});

describe('flags', () => {
  const sound = {
    verified: true,
    transactionCount: 1,
    endpointUrl: 'https://a.example',
    trustScore: 50,
    hasLapsedDomain: false,
    universe: production,
  };

  it('an agent without problems has none', () => expect(flagsOf(sound)).toEqual([]));

  it.each([
    [{ verified: false }, 'unverified'],
    [{ transactionCount: 0 }, 'no_transactions'],
    [{ endpointUrl: null }, 'no_endpoint'],
    [{ trustScore: 49 }, 'low_trust'],
    [{ hasLapsedDomain: true }, 'domain_proof_lapsed'],
    [{ universe: sandboxOf() }, 'sandbox'],
  ])('%j: %s', (over, flag) => expect(flagsOf({ ...sound, ...over })).toEqual([flag]));

  it('all together are the closed list', () => {
    const worst = {
      verified: false,
      transactionCount: 0,
      endpointUrl: null,
      trustScore: 0,
      hasLapsedDomain: true,
      universe: sandboxOf(),
    };
    expect(['unregistered', ...flagsOf(worst), ...agentBlock.options]).toEqual(agentFlag.options);
  });

  it.each(agentBlock.options)('a %s agent is shown like an unregistered one, with this flag alone', (block) => {
    const shown = { trustScore: 0, flags: [block], recommendedAction: 'block' };
    expect(shownTrustOf({ ...sound, trustScore: 90 }, block)).toEqual(shown);
    expect(shownTrustOf({ ...sound, universe: sandboxOf() }, block)).toEqual(shown);
  });

  it('an agent in service is shown with what it has earned', () => {
    expect(shownTrustOf(sound, null)).toEqual({ trustScore: 50, flags: [], recommendedAction: 'proceed_with_limits' });
  });
});
