import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchPartsOf } from '@agent-trust/contracts';
import {
  type EarnedStanding,
  matchBase,
  wilsonLowerBound,
} from '../../projector/read-models/agent-standing/match-base.ts';
import { directMatch } from '../../testing/direct-match.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import type { MatchEntry } from './agent-columns.ts';
import { findMatches, MatchIndex, type MatchQuestion } from './match-index.ts';

const entry = (changes: Partial<MatchEntry> = {}): MatchEntry => ({
  agentId: 'agent',
  changedPosition: 1n,
  universe: 'production',
  routable: true,
  verified: true,
  orgNameKey: null,
  messageProtocol: 'a2a',
  settlementRail: [],
  isLive: false,
  capabilities: [{ name: 'quote', weight: 1 }],
  trustScore: 75,
  otherOrgTransactionCount: 0,
  matchBase: 0.1875,
  ...changes,
});
const noFilters = { settlementRail: null, orgName: null, messageProtocol: null, live: false };
const question = (changes: Partial<MatchQuestion> = {}): MatchQuestion => ({
  universe: 'production',
  capabilities: [{ required: 'quote', canonical: 'quote', similarity: 1, how: 'exact' }],
  filters: noFilters,
  ...changes,
});
const indexOf = (...entries: MatchEntry[]): MatchIndex => {
  const index = new MatchIndex();
  for (const one of entries) index.apply(one);
  return index;
};
const all = { limit: 200, offset: 0 };
const ids = (index: MatchIndex, asked = question()): string[] => index.rank(asked, all).map(({ agentId }) => agentId);

describe('the match index', () => {
  it('finds no agent in an empty registry, in an unknown universe, or by an unused value', () => {
    expect(ids(new MatchIndex())).toEqual([]);
    const index = indexOf(entry());
    expect(ids(index)).toEqual(['agent']);
    expect(ids(index, question({ universe: 'sandbox:acme' }))).toEqual([]);
    const nobodyHas = { required: 'fly', canonical: 'fly', similarity: 1, how: 'exact' } as const;
    expect(ids(index, question({ capabilities: [nobodyHas] }))).toEqual([]);
    for (const filters of [
      { settlementRail: ['x402'] },
      { orgName: 'Acme' },
      { messageProtocol: 'raw' },
      { live: true },
    ]) {
      expect(ids(index, question({ filters: { ...noFilters, ...filters } }))).toEqual([]);
      expect(ids(index, question({ capabilities: null, filters: { ...noFilters, ...filters } }))).toEqual([]);
    }
  });

  it('follows an agent that changes, moves to another universe, loses its endpoint and gets one again', () => {
    const index = indexOf(entry());
    index.apply(entry({ changedPosition: 2n, capabilities: [{ name: 'order', weight: 2 }] }));
    expect(ids(index)).toEqual([]);
    index.apply(entry({ changedPosition: 3n }));
    expect(ids(index)).toEqual(['agent']);
    index.apply(entry({ changedPosition: 4n, universe: 'sandbox:acme' }));
    expect(ids(index)).toEqual([]);
    expect(ids(index, question({ universe: 'sandbox:acme' }))).toEqual(['agent']);
    index.apply(entry({ changedPosition: 5n, routable: false }));
    expect(ids(index)).toEqual([]);
    index.apply(entry({ changedPosition: 6n }));
    expect(index.rank(question(), all)).toEqual([
      {
        agentId: 'agent',
        matchScore: 0.3875,
        changedPosition: 6n,
        trustScore: entry({}).trustScore,
        otherOrgTransactionCount: entry({}).otherOrgTransactionCount,
        matchBase: entry({}).matchBase,
        capabilities: [{ name: 'quote', weight: 1 }],
      },
    ]);
  });

  it('keeps data that it knows to be newer', () => {
    const index = indexOf(
      entry({ changedPosition: 5n, trustScore: 90 }),
      entry({ changedPosition: 4n, routable: false }),
    );
    expect(ids(index)).toEqual(['agent']);
  });

  it('breaks ties by trust, then transactions, then id in the order of its UTF-8 bytes', () => {
    const tied = { matchBase: 0.2 };
    const index = indexOf(
      entry({ ...tied, agentId: '\u{1F600}' }),
      entry({ ...tied, agentId: '\uFF5E' }),
      entry({ ...tied, agentId: 'b' }),
      entry({ ...tied, agentId: 'a' }),
      entry({ ...tied, agentId: 'ab' }),
      entry({ ...tied, agentId: 'busy', otherOrgTransactionCount: 1 }),
      entry({ ...tied, agentId: 'trusted', trustScore: 76 }),
    );
    const order = ['trusted', 'busy', 'a', 'ab', 'b', '\uFF5E', '\u{1F600}'];
    expect(ids(index)).toEqual(order);
    expect(ids(index, question({ capabilities: null, filters: { ...noFilters, messageProtocol: 'a2a' } }))).toEqual(
      order,
    );
    expect(index.rank(question(), { limit: 2, offset: 1 }).map(({ agentId }) => agentId)).toEqual(['busy', 'a']);
  });

  it("uses an agent's best match for each required name, and the mean over the names", () => {
    const held = [
      { name: 'quote', weight: 1 },
      { name: 'quotation', weight: 3 },
      { name: 'order', weight: 2 },
    ];
    const index = indexOf(entry({ capabilities: held, matchBase: 0 }));
    const capabilities: ResolvedCapability[] = [
      { required: 'quote', canonical: 'quote', similarity: 1, how: 'exact' },
      { required: 'quotes', canonical: 'quote', similarity: 0.9, how: 'close' },
      { required: 'quotes', canonical: 'quotation', similarity: 0.5, how: 'close' },
      { required: 'nothing', canonical: 'nothing', similarity: 1, how: 'exact' },
    ];
    // (1·1 + max(0.9·1, 0.5·3) + 0) / 3 names / weight 3.
    expect(index.rank(question({ capabilities }), all)).toMatchObject([{ matchScore: 0.1667 }]);
  });
});

describe('the number of agents that have a capability', () => {
  it('counts those of the universe that can be called, whatever its weight', () => {
    const index = indexOf(
      entry({ agentId: 'a', capabilities: [{ name: 'quote', weight: 3 }] }),
      entry({
        agentId: 'b',
        capabilities: [
          { name: 'quote', weight: 1 },
          { name: 'order', weight: 2 },
        ],
      }),
      entry({ agentId: 'c', routable: false }),
      entry({ agentId: 'd', universe: 'sandbox:o' }),
    );
    const names = ['order', 'quote', 'nobody'];
    expect(index.holderCounts(entry({}).universe, names)).toEqual([1, 2, 0]);
    expect(index.holderCounts('sandbox:o', names)).toEqual([0, 1, 0]);
    expect(index.holderCounts('sandbox:other', names)).toEqual([0, 0, 0]);
    index.apply(entry({ agentId: 'a', changedPosition: 9n, capabilities: [] }));
    expect(index.holderCounts(entry({}).universe, names)).toEqual([1, 1, 0]);
  });
});

describe('the parts of a match_score', () => {
  const found = (agent: EarnedStanding, capabilities: MatchQuestion['capabilities']) => {
    const index = indexOf(
      entry({ ...agent, matchBase: matchBase(agent), capabilities: [{ name: 'quote', weight: 2 }] }),
    );
    const [match] = findMatches(index, question({ capabilities }), all).matches;
    if (match === undefined) throw new Error('no match');
    return match;
  };
  const earned: fc.Arbitrary<EarnedStanding> = fc
    .record({
      trustScore: fc.integer({ min: 0, max: 100 }),
      otherOrgTransactionCount: fc.integer({ min: 0, max: 100_000 }),
      reviewCount: fc.integer({ min: 0, max: 5_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ share, ...rest }) => ({ ...rest, successCount: Math.floor(share * rest.reviewCount) }));

  it('are those of the formula, and their points sum to it', () => {
    fc.assert(
      fc.property(earned, fc.double({ min: 0.3, max: 1, noNaN: true }), (agent, similarity) => {
        const required = [
          { required: 'quote', canonical: 'quote', similarity, how: 'close' as const },
          { required: 'order', canonical: 'order', similarity: 1, how: 'exact' as const },
        ];
        const { matchScore, matchParts } = found(agent, required);
        expect(matchParts.capability).toBeCloseTo((similarity * 2) / 3 / 2, 12);
        expect(matchParts.trust).toBe(agent.trustScore / 100);
        expect(matchParts.success).toBeCloseTo(wilsonLowerBound(agent.successCount, agent.reviewCount), 9);
        expect(matchParts.activity).toBeCloseTo(Math.min(1, Math.log10(1 + agent.otherOrgTransactionCount) / 4), 12);
        const points = Object.values(matchPartsOf(matchParts, matchScore)).map((part) => Math.round(part.points * 1e4));
        expect(points.reduce((sum, step) => sum + step, 0)).toBe(Math.round(matchScore * 1e4));
      }),
    );
  });

  it('have no capability where none was required', () => {
    const agent = { trustScore: 70, otherOrgTransactionCount: 0, reviewCount: 0, successCount: 0 };
    expect(found(agent, null).matchParts).toEqual({ capability: 0, trust: 0.7, success: 0, activity: 0 });
  });
});

const capabilityNames = ['quote', 'order', 'ship', 'pay'];
const agentIds = ['a', 'a1', 'b', 'B', 'é', '\uFF5E', '\u{1F600}', '\u{1F601}', 'z', ''].flatMap((id) => [
  `${id}x`,
  `${id}y`,
]);
const capabilities = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...capabilityNames), weight: fc.integer({ min: 1, max: 3 }) }),
  { selector: ({ name }) => name, maxLength: 4 },
);
// Few values of each kind, so that ties and shared lists are frequent.
const anyEntry: fc.Arbitrary<MatchEntry> = fc.record({
  agentId: fc.constantFrom(...agentIds),
  changedPosition: fc.constant(0n),
  universe: fc.constantFrom('production', 'sandbox:acme'),
  routable: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  verified: fc.boolean(),
  orgNameKey: fc.constantFrom(null, 'acme', 'globex'),
  messageProtocol: fc.constantFrom('a2a', 'mcp'),
  settlementRail: fc.subarray(['x402', 'stripe']),
  isLive: fc.boolean(),
  capabilities,
  trustScore: fc.constantFrom(40, 75),
  otherOrgTransactionCount: fc.constantFrom(0, 1),
  matchBase: fc.constantFrom(0.1, 0.10003, 0.10006, 0.25),
});
const anyQuestion: fc.Arbitrary<MatchQuestion> = fc.record({
  universe: fc.constantFrom('production', 'sandbox:acme'),
  capabilities: fc.option(
    fc.array(
      fc.record({
        required: fc.constantFrom('one', 'two', 'three'),
        canonical: fc.constantFrom(...capabilityNames, 'unknown'),
        similarity: fc.constantFrom(1, 0.9, 0.55),
        how: fc.constant('close' as const),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    { freq: 5 },
  ),
  filters: fc.record({
    settlementRail: fc.option(fc.subarray(['x402', 'stripe', 'manual'], { minLength: 1 }), { freq: 2 }),
    orgName: fc.option(fc.constantFrom('Acme', 'Globex', 'Nobody'), { freq: 1 }),
    messageProtocol: fc.option(fc.constantFrom('a2a', 'mcp', 'raw'), { freq: 1 }),
    live: fc.boolean(),
  }),
});

describe('for any agents, changes and queries, the match index', () => {
  it('returns the same as scoring and sorting every agent', () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 120 }),
        fc.array(anyQuestion, { minLength: 1, maxLength: 5 }),
        fc.record({ limit: fc.integer({ min: 1, max: 25 }), offset: fc.integer({ min: 0, max: 12 }) }),
        (changes, questions, chunk) => {
          const index = new MatchIndex();
          const agents = new Map<string, MatchEntry>();
          for (const [at, change] of changes.entries()) {
            const changed = { ...change, changedPosition: BigInt(at) };
            index.apply(changed);
            agents.set(changed.agentId, changed);
          }
          for (const asked of questions) {
            const { limit, offset } = chunk;
            const expected = directMatch([...agents.values()], asked).slice(offset, offset + limit);
            const actual = index.rank(asked, chunk).map(({ agentId, matchScore }) => ({ agentId, matchScore }));
            expect(actual).toEqual(expected);
          }
        },
      ),
      { numRuns: 200 },
    );
  }, 60_000);
});
