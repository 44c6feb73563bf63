/**
 * Bug: a suspended or retired agent is still trusted, found, called, paid or acted as somewhere: at another gateway or proxy that holds it in
 * memory, under an earlier answer, in an open session, or in the sandbox. Method: every gateway and every proxy has met the agent before; at the
 * first moment after the acknowledgement each of them is asked, many times, so that every instance answers.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  call,
  createOrg,
  freshClient,
  gateways,
  get,
  join,
  type Member,
  type Org,
  post,
  profile,
  redeem,
  review,
  verify,
} from '../support/ask.ts';
import { callTool, type McpClient, mcpClient, mcpGateways } from '../support/mcp-clients.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent(respondJson(200, { ok: true }));
  org = await createOrg();
  const callers = await createOrg();
  caller = await join(callers.key, { org_domain: `${unique('d')}.example`, endpoint_url: endpoint.url });
});
afterAll(() => endpoint.stop());

const newAgent = (fields: Body = {}, credential = org.key): Promise<Member> =>
  join(credential, {
    endpoint_url: endpoint.url,
    capabilities: ['price_quote'],
    settlement_rail: ['x402'],
    ...fields,
  });
const ops = (agentId: string, what: string, reason = 'a test') =>
  post(`/ops/agents/${encodeURIComponent(agentId)}/${what}`, { reason }, adminToken);
const suspend = async (agentId: string): Promise<void> => {
  expect((await ops(agentId, 'suspend')).status).toBe(200);
};
const refusalOf = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;
const statusOf = ({ status, body }: Answer): string => (status < 300 ? 'ok' : `${status} ${String(body['code'])}`);
const each = async <Result>(times: number, one: (gateway: string) => Promise<Result>): Promise<Result[]> =>
  (await Promise.all(gateways.map((gateway) => Promise.all(Array.from({ length: times }, () => one(gateway)))))).flat();
const shown = ({ body }: Answer) => [body['trust_score'], body['flags'], body['recommended_action']];
const isListed = async (agentId: string): Promise<boolean[]> => {
  const matched = await post('/match', { required_capabilities: ['price_quote'], org_name: org.name, limit: 200 });
  const registry = await get('/registry?limit=200');
  return [matched, registry].map(({ list }) => list.some((one) => one['agent_id'] === agentId));
};

describe.each(['suspended', 'retired'] as const)('a %s agent', (block) => {
  const code = `403 agent_${block}`;
  const end = (agentId: string): Promise<Answer> =>
    block === 'suspended' ? ops(agentId, 'suspend') : post('/retire', { agent_id: agentId }, org.key);
  const blocked = [0, [block], 'block'];

  it('is shown with 0 everywhere at once, and nobody calls or pays it', async () => {
    const { agentId } = await newAgent();
    const message = textMessage('hello');
    const askAll = async () => ({
      verified: await each(6, (gateway) => verify(agentId, {}, gateway)),
      profiles: await each(6, (gateway) => get(`/agent/${agentId}`, {}, gateway)),
      calls: await each(4, (gateway) =>
        post('/call', { caller_agent_id: caller.agentId, agent_id: agentId, message }, caller.auth, gateway),
      ),
      payments: await each(4, (gateway) => get(`/pay/${agentId}`, {}, gateway)),
    });
    const before = await askAll();
    expect([...before.verified, ...before.profiles].map((answer) => shown(answer)[0])).toEqual(Array(24).fill(75));
    expect(new Set([...before.calls, ...before.payments].map(({ status }) => status))).toEqual(new Set([200]));
    const received = endpoint.received.length;

    expect((await end(agentId)).status).toBe(200);
    const after = await askAll();
    expect([...after.verified, ...after.profiles].map(shown)).toEqual(Array(24).fill(blocked));
    expect(new Set([...after.calls, ...after.payments].map(refusalOf))).toEqual(new Set([code]));
    expect(endpoint.received).toHaveLength(received);
    const [batch] = await each(1, (gateway) => post('/verify/batch', { agent_ids: [agentId] }, {}, gateway));
    expect(batch?.list[0]).toMatchObject({ trust_score: 0, flags: [block], routing: { pay_via: null } });
    expect(await isListed(agentId)).toEqual([false, false]);
    const signed = await post('/verify?signed=true', { agent_id: agentId });
    expect(shown(signed)).toEqual(blocked);
  });

  it('cannot be acted as, with any credential and through an open session', async () => {
    const agent = await newAgent();
    const { agentId, auth } = agent;
    const link = await post('/rotate', { agent_id: agentId }, org.key);
    const sessions: McpClient[] = await Promise.all(mcpGateways.map((url) => mcpClient(auth, 'streamable HTTP', url)));
    const update = { agent_id: agentId, specialty: 'new' };
    const key = { 'idempotency-key': randomUUID() };
    expect((await post('/update', update, { ...auth, ...key })).status).toBe(200);
    expect((await call(agent, caller.agentId, textMessage('hello'))).status).toBe(200);
    expect((await end(agentId)).status).toBe(200);

    const refused = await Promise.all([
      call(agent, caller.agentId, textMessage('hello')),
      review(agent, caller.agentId),
      post('/update', update, auth),
      // Its first answer is kept, and is not told any more.
      post('/update', update, { ...auth, ...key }),
      post('/update', update, org.key),
      post('/rotate', { agent_id: agentId }, { ...auth, ...freshClient() }),
      post('/rotate', { agent_id: agentId }, { ...org.key, ...freshClient() }),
      redeem(link.body['claim_link']),
      get(`/pay/${caller.agentId}`, auth),
      post('/register', { agent_id: unique('clone'), clone_from_agent_id: agentId }, org.sandboxKey),
    ]);
    expect(refused.map(refusalOf)).toEqual(refused.map(() => code));
    for (const session of sessions) {
      const { isError, body } = await callTool(session, 'update_agent', update);
      expect([isError, body['code']]).toEqual([true, `agent_${block}`]);
      await session.end();
    }
  });

  it('can be read and withdrawn by its organisation, and stays blocked in the sandbox', async () => {
    const { agentId } = await newAgent();
    expect((await end(agentId)).status).toBe(200);
    expect((await get(`/org/agents/${agentId}`, org.key)).body).toMatchObject({ flags: [block], trust_score: 0 });
    expect((await get('/org/agents', org.key)).list.find((one) => one['agent_id'] === agentId)).toMatchObject({
      flags: [block],
    });
    expect((await post('/sandbox/withdraw', { agent_id: agentId }, org.sandboxKey)).status).toBe(200);
    expect(shown(await verify(agentId, org.sandboxKey))).toEqual(blocked);
    expect(refusalOf(await post('/sandbox/publish', { agent_id: agentId }, org.sandboxKey))).toBe(code);
    expect(refusalOf(await post('/register', { agent_id: agentId }, org.key))).toBe('409 agent_id_taken');
  });

  it('is explained by what it has earned, and as_of shows when it was blocked', async () => {
    const { agentId } = await newAgent();
    const called = await call(caller, agentId, textMessage('hello'));
    expect((await review(caller, agentId, { transaction_id: called.body['transaction_id'] })).status).toBe(200);
    const before = await get(`/agent/${agentId}/trust`);
    const position = String((before.body['as_of'] as Body)['position']);
    expect(before.body['flags']).toEqual([]);
    expect((await end(agentId)).status).toBe(200);

    const { as_of: _then, ...earned } = before.body;
    const { as_of: now, ...explained } = (await get(`/agent/${agentId}/trust`)).body;
    expect(explained).toEqual({ ...earned, flags: [block] });
    const then = await post(`/verify?as_of=${position}`, { agent_id: agentId });
    expect(then.body).toMatchObject({ trust_score: before.body['trust_score'] });
    expect(then.body['flags']).not.toContain(block);
    const at = String((now as Body)['position']);
    expect(shown(await post(`/verify?as_of=${at}`, { agent_id: agentId }))).toEqual(blocked);
    expect(shown(await get(`/agent/${agentId}?as_of=${at}`))).toEqual(blocked);
    expect((await get(`/agent/${agentId}/trust?as_of=${position}`)).body['flags']).toEqual([]);
    expect((await get(`/agent/${agentId}/trust?as_of=${at}`)).body['flags']).toEqual([block]);
  });

  it('leaves previews, and no payment counts for a call that it made', async () => {
    const { agentId, auth } = await newAgent();
    const draft = await newAgent({}, org.sandboxKey);
    const preview = async (): Promise<unknown[]> => {
      const asked = { sandbox_agent_id: draft.agentId, required_capabilities: ['price_quote'] };
      const { body } = await post('/sandbox/preview_match', asked, org.sandboxKey);
      return ((body['results'] ?? []) as Body[]).map((one) => one['agent_id']);
    };
    await preview();
    const made = await call({ agentId, auth }, caller.agentId, textMessage('hello'));
    expect((await end(agentId)).status).toBe(200);
    expect(await preview()).not.toContain(agentId);
    const paid = await get(`/pay/${caller.agentId}?call_ref=${String(made.body['transaction_id'])}`);
    expect(refusalOf(paid)).toBe(code);
  });
});

describe('a suspension', () => {
  it('ends at once everywhere', async () => {
    const agent = await newAgent();
    const { agentId } = agent;
    await suspend(agentId);
    expect((await ops(agentId, 'reinstate')).body).toEqual({ agent_id: agentId, status: 'reinstated' });
    const verified = await each(6, (gateway) => verify(agentId, {}, gateway));
    expect(verified.map((answer) => shown(answer)[0])).toEqual(Array(12).fill(75));
    expect((await call(caller, agentId, textMessage('hello'))).status).toBe(200);
    expect((await call(agent, caller.agentId, textMessage('hello'))).status).toBe(200);
    expect(await isListed(agentId)).toEqual([true, expect.any(Boolean)]);
  });

  it('is begun and ended once, however often it is asked for', async () => {
    const { agentId } = await newAgent();
    const answers = await Promise.all([ops(agentId, 'suspend', 'one'), ops(agentId, 'suspend', 'another')]);
    const [first, second] = answers.map(({ body }) => body);
    expect(first).toEqual(second);
    expect(first).toEqual({
      agent_id: agentId,
      status: 'suspended',
      reason: expect.stringMatching(/^(one|another)$/u) as string,
      suspended_at: expect.any(String) as string,
    });
    await Promise.all([ops(agentId, 'reinstate'), ops(agentId, 'reinstate')]);
    const { list } = await ask('GET', `/ops/events?agent_id=${agentId}&order=asc`, {
      headers: adminToken,
      owner: true,
    });
    const types = list.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['AgentSuspended', 'AgentReinstated']);
    expect(types.filter((type) => type === 'AgentSuspended')).toHaveLength(1);
    const own = await get(`/org/agents/${agentId}/events?type=AgentSuspended`, org.key);
    expect(own.text).toContain('"reason":"');
  });

  it('needs the operator, a reason and an agent', async () => {
    const { agentId, auth } = await newAgent();
    for (const what of ['suspend', 'reinstate']) {
      const path = `/ops/agents/${agentId}/${what}`;
      for (const credential of [{}, auth, org.key])
        expect((await post(path, { reason: 'x' }, credential)).status).toBe(401);
      for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
        expect((await post(path, body, adminToken)).status).toBe(422);
      expect(refusalOf(await ops(unique('nobody'), what))).toBe('404 agent_not_found');
    }
    expect((await profile(agentId)).body['trust_score']).toBe(75);
  });

  it('leaves an erasure, the operator and reviews of earlier exchanges in force', async () => {
    const { agentId } = await newAgent({ contact_info: 'ring twice' });
    const called = await call(caller, agentId, textMessage('hello'));
    await suspend(agentId);
    expect((await post(`/ops/agents/${agentId}/erase`, undefined, adminToken)).status).toBe(200);
    expect((await profile(agentId)).body['contact_info']).toBe(null);
    expect(statusOf(await post('/update', { agent_id: agentId, specialty: 'x' }, adminToken))).toBe('ok');
    const reviewed = await review(caller, agentId, { transaction_id: called.body['transaction_id'] });
    expect([reviewed.status, shown(reviewed)]).toEqual([200, [0, ['suspended'], 'block']]);
  });
});

describe('retiring', () => {
  it('is for the agent itself, its organisation and the operator', async () => {
    const mine = await Promise.all([newAgent(), newAgent(), newAgent()]);
    const [self, owned, operated] = mine.map(({ agentId }) => ({ agent_id: agentId }));
    const retired = [
      await post('/retire', self, mine[0]?.auth),
      await post('/retire', owned, org.key),
      await post('/retire', operated, adminToken),
    ];
    expect(retired.map(({ status, body }) => [status, body['status']])).toEqual(Array(3).fill([200, 'retired']));
    expect((await post('/retire', owned, org.key)).body).toEqual(retired[1]?.body);
    expect(refusalOf(await post('/retire', self, mine[0]?.auth))).toBe('403 agent_retired');
  });

  it('is for nobody else', async () => {
    const { agentId } = await newAgent();
    const asked = { agent_id: agentId };
    const other = await createOrg();
    expect(refusalOf(await post('/retire', asked))).toBe('401 credential_required');
    expect(refusalOf(await post('/retire', asked, caller.auth))).toBe('403 not_owner');
    expect(refusalOf(await post('/retire', asked, other.key))).toBe('403 not_owner');
    expect(refusalOf(await post('/retire', asked, org.sandboxKey))).toBe('403 wrong_universe');
    expect(refusalOf(await post('/retire', { agent_id: unique('nobody') }, org.key))).toBe('404 agent_not_found');
  });

  it('of one side of a pair leaves the other, which cannot be promoted onto it', async () => {
    const live = await newAgent();
    const cloneId = unique('clone');
    const clone = { agent_id: cloneId, clone_from_agent_id: live.agentId };
    expect((await post('/register', clone, org.sandboxKey)).status).toBe(201);
    expect((await post('/retire', { agent_id: cloneId }, org.sandboxKey)).status).toBe(200);
    expect(refusalOf(await post('/sandbox/promote', { sandbox_agent_id: cloneId }, org.sandboxKey))).toBe(
      '403 agent_retired',
    );
    expect((await verify(live.agentId)).body['trust_score']).toBe(75);
  });

  it('is a tool', async () => {
    const agent = await newAgent();
    const session = await mcpClient(agent.auth, 'SSE', mcpGateways[1]);
    const { isError, body } = await callTool(session, 'retire_agent', { agent_id: agent.agentId });
    expect([isError, body['status']]).toEqual([false, 'retired']);
    await session.end();
  });
});
