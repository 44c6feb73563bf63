/** Past answers are reproducible: scores, profiles and explanations as of past moments, over the whole system. */
import type { RegistryClient } from '@agent-trust/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, createOrg, join, type Member, type Org, review } from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { operator, refusalOf, watchedClient } from '../support/watched-client.ts';

const registry = watchedClient();
let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  caller = await join(org.key, { org_domain: `${unique('d')}.example` });
});
afterAll(() => endpoint.stop());

const as = ({ auth }: Member): RegistryClient =>
  watchedClient({ agentKey: auth['authorization']?.replace('Bearer ', '') ?? '' });
const receiverOf = (credential = {}, fields = {}): Promise<Member> =>
  join(credential, { endpoint_url: endpoint.url, capabilities: ['price_quote'], ...fields });
const reviewed = async (receiver: Member, score: number, from = caller): Promise<string> => {
  const { body } = await call(from, receiver.agentId, textMessage('hello'));
  const answer = await review(from, receiver.agentId, { transaction_id: body['transaction_id'], score });
  expect(answer.status).toBe(200);
  return String(body['transaction_id']);
};

describe('as of a past moment', () => {
  it('every answer equals the answer of that moment', async () => {
    const receiver = await receiverOf();
    const { agentId } = receiver;
    const moments: { as_of: string; verdict: unknown; profile: unknown; trust: unknown }[] = [];
    const keep = async (): Promise<void> => {
      const { trust } = await registry.trust(agentId);
      moments.push({
        as_of: trust.as_of.position,
        verdict: await registry.verify({ agent_id: agentId }),
        profile: await registry.getAgent(agentId),
        trust,
      });
    };
    await keep();
    for (const score of [10, 1, 7]) {
      await reviewed(receiver, score);
      await keep();
    }
    await as(receiver).update({ agent_id: agentId, specialty: 'Late', contact_info: 'x' });
    await keep();
    for (const { as_of, verdict, profile, trust } of moments) {
      expect(await registry.verify({ agent_id: agentId }, { as_of })).toEqual(verdict);
      expect(await registry.getAgent(agentId, { as_of })).toEqual(profile);
      expect((await registry.trust(agentId, { as_of })).trust).toEqual(trust);
    }
    expect(new Set(moments.map(({ verdict }) => JSON.stringify(verdict))).size).toBe(moments.length);
    const now = new Date().toISOString();
    expect(await registry.verify({ agent_id: agentId }, { as_of: now })).toEqual(moments.at(-1)?.verdict);
  });

  it('an agent is unknown before its registration, and in universes where it was not', async () => {
    const before = (await registry.trust(caller.agentId)).trust.as_of.position;
    const draft = await receiverOf(org.sandboxKey);
    const hidden = (await registry.trust(caller.agentId)).trust.as_of.position;
    const sandbox = watchedClient({ orgKey: org.sandboxKey['x-api-key'] ?? '' });
    await sandbox.sandbox.publish({ agent_id: draft.agentId });
    const query = { agent_id: draft.agentId };
    expect(await refusalOf(registry.verify(query, { as_of: before }))).toEqual([404, 'agent_not_found']);
    expect(await refusalOf(registry.verify(query, { as_of: hidden }))).toEqual([404, 'agent_not_found']);
    expect(await sandbox.verify(query, { as_of: hidden })).toMatchObject({
      flags: expect.arrayContaining(['sandbox']),
    });
    expect(await refusalOf(sandbox.verify(query))).toEqual([404, 'agent_not_found']);
    expect(await registry.verify(query)).toMatchObject(query);
  });

  it('a contact is that of the moment, and an erased one is absent', async () => {
    const member = await receiverOf({}, { contact_info: 'first room' });
    const { agentId } = member;
    const itself = as(member);
    const moment = async (): Promise<string> => (await registry.trust(agentId)).trust.as_of.position;
    const contactAt = async (as_of?: string): Promise<unknown> =>
      (await registry.getAgent(agentId, { as_of })).contact_info;
    const first = await moment();
    await itself.update({ agent_id: agentId, contact_info: 'second room' });
    const second = await moment();
    expect([await contactAt(first), await contactAt(second)]).toEqual(['first room', 'second room']);
    await operator().ops.erasePersonalData(agentId);
    await itself.update({ agent_id: agentId, contact_info: 'third room' });
    expect([await contactAt(first), await contactAt(second), await contactAt()]).toEqual([null, null, 'third room']);
  });
});

describe('an explanation', () => {
  it('lists every review that counted, and its points add up to the score', async () => {
    const receiver = await receiverOf();
    const other = await join(org.key, { org_domain: `${unique('d')}.example` });
    const made = [await reviewed(receiver, 9), await reviewed(receiver, 8, other), await reviewed(receiver, 2)];
    const { trust, total } = await registry.trust(receiver.agentId);
    expect([total, trust.reviews.map(({ transaction_id }) => transaction_id)]).toEqual([3, made.toReversed()]);
    expect(trust.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(trust.unrounded);
    expect(Math.floor(trust.unrounded + 0.5)).toBe(trust.trust_score);
    expect(trust.trust_score).toBe((await registry.verify({ agent_id: receiver.agentId })).trust_score);
    // The receiver's own reviews of one reviewer dampen each other; all of them count.
    expect(trust.reviews.map(({ counted, reason }) => [counted, reason])).toEqual(made.map(() => [true, null]));
    const paged: string[] = [];
    for await (const each of registry.eachReview(receiver.agentId, { limit: 1 })) paged.push(each.transaction_id);
    expect(paged).toEqual(made.toReversed());
    const { history } = await registry.trustHistory(receiver.agentId);
    expect(history.at(0)).toMatchObject({ previous_score: null, cause: { type: 'AgentRegistered' } });
    expect(history.at(-1)?.trust_score).toBe(trust.trust_score);
    for (const [index, change] of history.slice(1).entries()) {
      expect(change.previous_score).toBe(history[index]?.trust_score);
      expect(made).toContain(change.cause.transaction_id);
    }
  });
});
