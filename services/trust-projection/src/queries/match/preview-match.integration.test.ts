import { type AgentConfiguration, previewMatch, type Universe } from '@agent-trust/contracts';
import { queryLimits } from '../../shared/limits.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentEvent } from '../../testing/made-changes.ts';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type MadeAgent,
  type MadeEvent,
  organisationCreated,
  sha256,
} from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
/** Longer than a busy machine takes for as many as may wait. */
const ask = { timeoutMs: 25_000 };
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const secretEndpoint = 'https://hidden.test/a2a';

const agent = (
  agentId: string,
  capabilities: AgentConfiguration['capabilities'],
  changes: Partial<MadeAgent> = {},
  configuration: Partial<AgentConfiguration> = {},
): MadeEvent =>
  agentRegistered(
    {
      agentId,
      verified: true,
      ...changes,
      configuration: { capabilities, endpointUrl: secretEndpoint, settlementRail: ['x402'], ...configuration },
    },
    at(1),
  );
const draft = (
  agentId: string,
  capabilities: AgentConfiguration['capabilities'],
  configuration: Partial<AgentConfiguration> = {},
): MadeEvent => agent(agentId, capabilities, { orgId: 'acme', universe: sandbox }, configuration);
const held = (name: string, weight: number) => [{ name, weight }];

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  const call = { transactionId: 't1', callerAgentId: 'other', receiverAgentId: 'live' };
  const position = await fixture.record(
    organisationCreated('acme', at(0)),
    organisationCreated('other', at(0)),
    agent('b-best', held('weld', 3)),
    agent('a-same', held('weld', 2)),
    agent('z-same', held('weld', 2)),
    agent('light', held('weld', 1), {}, { settlementRail: ['manual'] }),
    agent('other', held('paint', 3)),
    // No agents that a preview may show: unverified, without an endpoint, in a sandbox.
    agent('stranger', held('weld', 3), { verified: false }),
    agent('unroutable', held('weld', 3), {}, { endpointUrl: null }),
    agent('foreign-draft', held('weld', 3), { orgId: 'other', universe: { kind: 'sandbox', orgId: 'other' } }),
    draft('m-draft', held('weld', 2)),
    draft('other-draft', held('weld', 3)),
    draft('bare-draft', [], { endpointUrl: null, settlementRail: null }),
    // A confirmed pair whose live agent has a reputation; and a pair that only one agent names.
    agent('live', held('weld', 3), { orgId: 'acme' }),
    draft('clone', held('weld', 1)),
    agentEvent('ClonePaired', { agentId: 'live', relatedAgentId: 'clone', pairedAt: at(2) }),
    agentEvent('ClonePaired', { agentId: 'clone', relatedAgentId: 'live', pairedAt: at(2) }),
    agentEvent('ClonePaired', { agentId: 'm-draft', relatedAgentId: 'b-best', pairedAt: at(2) }),
    exchangeStarted(call, at(3)),
    exchangeCompleted(call, at(4)),
    exchangeReviewed(call, at(5), { score: 10, orgDomain: 'x.test', roots: { 'x.test': 1 } }),
  );
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const preview = (
  sandboxAgentId: string,
  question: { requiredCapabilities?: string[] | null; settlementRail?: string[] | null; resultsMax?: number } = {},
  orgId = 'acme',
) =>
  fixture.gateway.request(
    previewMatch,
    {
      orgId,
      sandboxAgentId,
      requiredCapabilities: null,
      settlementRail: null,
      resultsMax: 50,
      limit: 50,
      offset: 0,
      ...question,
    },
    ask,
  );
const order = ({ results }: Awaited<ReturnType<typeof preview>>): string[] =>
  results.map(({ agent: { agentId } }) => agentId);

describe('the preview of a match', () => {
  it('ranks a draft among live agents by its own capabilities, ties by id', async () => {
    const found = await preview('m-draft');
    // `live` has the best reputation; the others have 75 without a review.
    expect(order(found)).toEqual(['live', 'b-best', 'a-same', 'm-draft', 'z-same', 'light']);
    expect(found).toMatchObject({ draftRank: 4, total: 6 });
    expect(found.results.map(({ isDraft }) => isDraft)).toEqual([false, false, false, true, false, false]);
    // 0.6·2/3 + 0.25·0.75
    expect(found.results[3]).toMatchObject({
      matchScore: 0.5875,
      matchReasons: [{ requiredCapability: 'weld', matchedCapability: 'weld', weight: 2, how: 'exact', similarity: 1 }],
      agent: { flags: ['no_transactions', 'sandbox'], trustScore: 75 },
    });
    expect(found.explanation).toContain('Rank 4 of 6 with a match_score of 0.5875');
    expect(found.explanation).toContain('"a-same", one rank ahead, has the same score and the same record');
    expect(found.explanation).toContain('Weight 3 for "weld" would add 0.2000 and bring it to rank 3.');
    expect(found.explanation).not.toContain('b-best');
  });

  it("ranks a clone by its live agent's reputation, and omits that agent", async () => {
    const found = await preview('clone');
    expect(order(found)).toEqual(['b-best', 'a-same', 'z-same', 'clone', 'light']);
    const clone = found.results.find(({ isDraft }) => isDraft)?.agent;
    expect(clone).toMatchObject({ transactionCount: 1, successRate: 1, flags: ['sandbox'] });
    expect(clone?.trustScore).toBeGreaterThan(75);
    expect(found.explanation).toContain('earned by its live agent, "live"');
  });

  it('uses the requested capabilities and rails, or none', async () => {
    expect(order(await preview('m-draft', { requiredCapabilities: ['paint'] }))).toEqual(['other', 'm-draft']);
    const manual = await preview('m-draft', { settlementRail: ['manual'] });
    expect(order(manual)).toEqual(['m-draft', 'light']);
    expect(manual.explanation).toContain('would not find it: it accepts none of the settlement rails asked for.');
    const painting = await preview('m-draft', { requiredCapabilities: ['paint'] });
    expect(painting.results.at(-1)).toMatchObject({ isDraft: true, matchScore: 0.1875, matchReasons: [] });
    expect(painting.explanation).toContain('would not find it: it has none of the capabilities asked for.');
    expect(painting.explanation).toContain('Adding "paint" with weight 3 would add 0.6000');
    const none = await preview('m-draft', { requiredCapabilities: [] });
    expect(order(none)).toEqual(['live', 'a-same', 'b-best', 'light', 'm-draft', 'other', 'z-same']);
    const bare = await preview('bare-draft');
    expect(bare).toMatchObject({ total: 7 });
    expect(bare.explanation).toContain('would not find it: it has no endpoint_url.');
    const alone = await preview('m-draft', { requiredCapabilities: ['nobody has this'], settlementRail: ['gold'] });
    expect(alone).toMatchObject({ draftRank: 1, total: 1, results: [{ isDraft: true }] });
    expect(alone.explanation).toContain('No other agent');
  });

  it('shows the best agents, and the draft last if it ranks below them', async () => {
    const found = await preview('m-draft', { resultsMax: 3 });
    expect(order(found)).toEqual(['live', 'b-best', 'm-draft']);
    expect(found).toMatchObject({ draftRank: 4, total: 6 });
    expect(order(await preview('m-draft', { resultsMax: 1 }))).toEqual(['m-draft']);
    expect(order(await preview('m-draft', { resultsMax: 4 }))).toEqual(['live', 'b-best', 'a-same', 'm-draft']);
  });

  it('does not find a draft of another organisation, an agent of production, or an unknown one', async () => {
    for (const [id, orgId] of [
      ['foreign-draft', 'acme'],
      ['m-draft', 'other'],
      ['live', 'acme'],
      ['nobody', 'acme'],
    ] as const) {
      await expect(preview(id, {}, orgId)).rejects.toMatchObject({ code: 'agent_not_found' });
    }
  });

  it('shows no endpoint, and nothing of any sandbox but the draft', async () => {
    const text = JSON.stringify(await preview('m-draft'));
    expect(text).not.toContain('hidden.test');
    expect(text).not.toContain('other-draft');
    expect(text).not.toContain('foreign-draft');
    expect(text).not.toContain('stranger');
  });

  it("runs one at a time: requests beyond the queue's limit are refused, the others answered", async () => {
    const { atOnceMax, waitingMax } = queryLimits.previews;
    const asked = await Promise.allSettled(
      Array.from({ length: atOnceMax + waitingMax + 20 }, () => preview('m-draft')),
    );
    const answered = asked.filter(({ status }) => status === 'fulfilled');
    expect(answered.length).toBeGreaterThanOrEqual(atOnceMax + waitingMax);
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set(['overloaded']));
    expect(await preview('m-draft')).toMatchObject({ draftRank: 4 });
  });

  it('writes nothing', async () => {
    const state = async (): Promise<unknown> =>
      fixture.query(
        `SELECT (SELECT count(*) FROM event_log.events) AS events,
           (SELECT md5(string_agg(s::text, '|' ORDER BY agent_id)) FROM read_models.agent_standing s) AS standing`,
      );
    const before = await state();
    await preview('m-draft');
    await preview('clone');
    expect(await state()).toEqual(before);
  });

  it("uses production's taxonomy: a name that only the sandbox has learned means itself there", async () => {
    const position = await fixture.record(
      draft('learner', held(`secret_${sha256('skill').slice(0, 8)}`, 3)),
      agentEvent('CapabilityConfirmationAnswered', {
        agentId: 'learner',
        universe: sandbox,
        submitted: 'welding_by_hand',
        candidate: 'weld',
        accepted: true,
        answeredAt: at(9),
      }),
    );
    await fixture.untilVisible(position);
    expect(await preview('learner')).toMatchObject({ draftRank: 1, total: 1 });
    // In the sandbox the name is an alias, but in production at most similar, so others never match it in full.
    const others = (await preview('learner', { requiredCapabilities: ['welding_by_hand'] })).results;
    expect(others.flatMap(({ matchReasons }) => matchReasons).filter(({ how }) => how === 'alias')).toEqual([]);
  });
});
