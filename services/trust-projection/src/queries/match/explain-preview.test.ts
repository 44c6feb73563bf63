import { describe, expect, it } from 'vitest';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { bestWeightGain, type Contender, contenderOf } from './contender.ts';
import { explainPreview, type PreviewFacts } from './explain-preview.ts';

const exact = (name: string): ResolvedCapability => ({ required: name, canonical: name, similarity: 1, how: 'exact' });
const agent = (changes: Partial<Parameters<typeof contenderOf>[0]> = {}): Parameters<typeof contenderOf>[0] => ({
  agentId: 'draft',
  capabilities: [{ name: 'quote', weight: 2 }],
  trustScore: 75,
  otherOrgTransactionCount: 0,
  reviewCount: 0,
  successCount: 0,
  ...changes,
});
const quote = [exact('quote')];
const contender = (changes: Parameters<typeof agent>[0] = {}, resolved = quote): Contender =>
  contenderOf(agent(changes), resolved);
const explain = (facts: Partial<PreviewFacts> = {}): string =>
  explainPreview({
    rank: 1,
    total: 1,
    draft: contender(),
    liveAgentId: null,
    obstacles: [],
    ahead: null,
    behind: null,
    gain: null,
    ...facts,
  });

describe('the explanation of a preview', () => {
  it('lists the parts of the score', () => {
    expect(explain({ rank: 3, total: 12 })).toContain(
      'Rank 3 of 12 with a match_score of 0.5875: 0.4000 for capabilities, 0.1875 for trust, 0.0000 for success rate, 0.0000 for transactions.',
    );
  });

  it("says whose record counts, if it is the live agent's", () => {
    expect(explain()).not.toContain('live agent');
    expect(explain({ liveAgentId: 'live "one"' })).toContain(
      'Everything but capabilities was earned by its live agent, "live \\"one\\"".',
    );
  });

  it('says why /match would not find it', () => {
    expect(explain()).not.toContain('would not find');
    expect(explain({ obstacles: ['it has no endpoint_url', 'it lacks a rail'] })).toContain(
      'As it is, /match would not find it: it has no endpoint_url; it lacks a rail.',
    );
  });

  it('names the differences from the next higher rank, the largest first', () => {
    const ahead = contender({ agentId: 'best', capabilities: [{ name: 'quote', weight: 3 }], trustScore: 60 });
    expect(explain({ rank: 2, total: 2, ahead })).toContain(
      '"best", one rank ahead, scores 0.1625 more: 0.2000 more for capabilities, 0.0375 less for trust.',
    );
  });

  it.each([
    [{ trustScore: 76 }, 'and the higher trust_score (76)'],
    [{ otherOrgTransactionCount: 4 }, 'and more transactions with other organisations (4)'],
    [{}, 'and the same record; its agent_id comes first'],
  ])('names the tie-breaker: %j', (changes, words) => {
    const ahead = { ...contender({ agentId: 'best', ...changes }), steps: contender().steps };
    expect(explain({ rank: 2, total: 2, ahead })).toContain(`"best", one rank ahead, has the same score ${words}.`);
  });

  it('shows the distance to the next rank if it is the best', () => {
    const behind = contender({ agentId: 'next', trustScore: 50 });
    expect(explain({ total: 2, behind })).toContain(
      'Nobody ranks ahead of it; "next", the next, scores 0.0625 less: 0.0625 less for trust.',
    );
    expect(explain({ total: 2, behind: contender({ agentId: 'next' }) })).toContain('has the same score.');
    expect(explain()).toContain('No other agent that is verified');
  });

  it('names the most effective improvement', () => {
    const heavier = { capability: 'quote', weight: 3, isNew: false };
    const after = contender({ capabilities: [{ name: 'quote', weight: 3 }] });
    expect(explain({ rank: 4, gain: { ...heavier, after, rank: 2 } })).toContain(
      'Weight 3 for "quote" would add 0.2000 and bring it to rank 2.',
    );
    expect(explain({ rank: 4, gain: { ...heavier, after, rank: 4 } })).toContain('would add 0.2000 and keep rank 4.');
    expect(explain({ rank: 4, gain: { ...heavier, isNew: true, after, rank: 1 } })).toContain(
      'Adding "quote" with weight 3 would add 0.2000 and bring it to rank 1.',
    );
    expect(explain()).toContain('What can still grow most is success rate, 0.0000 of at most 0.1000');
    const untrusted = contender({ trustScore: 0, reviewCount: 5, successCount: 5, otherOrgTransactionCount: 99_999 });
    expect(explain({ draft: untrusted })).toContain('What can still grow most is trust, 0.0000 of at most 0.2500');
  });
});

describe('the best change of a capability', () => {
  const capabilitiesOf = (...weights: [string, number][]) => weights.map(([name, weight]) => ({ name, weight }));
  const change = (capabilities: ReturnType<typeof capabilitiesOf>, ...required: string[]) => {
    const gain = bestWeightGain(agent({ capabilities }), required.map(exact));
    return gain && { capability: gain.capability, weight: gain.weight, isNew: gain.isNew };
  };

  it('is the one that adds most: a missing required name before a light one', () => {
    const held = capabilitiesOf(['quote', 2]);
    expect(change(held, 'quote')).toEqual({ capability: 'quote', weight: 3, isNew: false });
    expect(change(held, 'quote', 'order')).toEqual({ capability: 'order', weight: 3, isNew: true });
  });

  it('stays within the weight tiers', () => {
    expect(change(capabilitiesOf(['other', 3], ['quote', 1]), 'quote')).toEqual({
      capability: 'quote',
      weight: 2,
      isNew: false,
    });
    expect(change(capabilitiesOf(['other', 3], ['quote', 2]), 'quote')).toBeNull();
    expect(change(capabilitiesOf(['other', 3], ['a', 2], ['b', 2], ['quote', 1]), 'quote')).toBeNull();
    const full = capabilitiesOf(['x', 3], ['a', 2], ['b', 2], ['c', 1], ['d', 1], ['e', 1]);
    expect(change(full, 'quote')).toBeNull();
  });

  it('is absent if every required name is met in full, or none is required', () => {
    expect(change(capabilitiesOf(['quote', 3]), 'quote')).toBeNull();
    expect(change(capabilitiesOf(['quote', 1]))).toBeNull();
  });

  it('is the required name itself if the agent has only a similar one', () => {
    const resolved: ResolvedCapability[] = [
      exact('quotes'),
      { required: 'quotes', canonical: 'quote', similarity: 0.8, how: 'close' },
    ];
    expect(bestWeightGain(agent({ capabilities: capabilitiesOf(['quote', 2]) }), resolved)).toMatchObject({
      capability: 'quotes',
      weight: 3,
      isNew: true,
    });
  });
});
