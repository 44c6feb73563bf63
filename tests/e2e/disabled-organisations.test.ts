/**
 * Bug: a disabled organisation, or a revoked key of one, still does something: at a gateway that holds the key's answer, under an idempotency key,
 * through one of its agents, or through an agent that it registers meanwhile. Method: both gateways have met each key and each agent before; at the
 * first moment after the acknowledgement each is asked, many times.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  type Body,
  call,
  createOrg,
  freshClient,
  gateways,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  redeem,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { orgKey, textMessage, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

let endpoint: RecordingAgent;
let caller: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  caller = await join((await createOrg()).key, { endpoint_url: endpoint.url });
});
afterAll(() => endpoint.stop());

const newAgent = (credential: HeaderMap, fields: Body = {}): Promise<Member> =>
  join(credential, { endpoint_url: endpoint.url, contact_email: 'owner@agent.example', ...fields });
const ops = (organisation: string, what: string, reason = 'a test') =>
  post(`/ops/organisations/${encodeURIComponent(organisation)}/${what}`, { reason }, adminToken);
const refusalOf = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;
const shown = ({ body }: Answer) => [body['trust_score'], body['flags'], body['recommended_action']];
const everywhere = async <Result>(one: (gateway: string) => Promise<Result>): Promise<Result[]> =>
  (await Promise.all(gateways.map((gateway) => Promise.all(Array.from({ length: 5 }, () => one(gateway)))))).flat();
const isFound = async (org: Org, agentId: string): Promise<boolean> =>
  (await post('/match', { org_name: org.name, limit: 200 })).list.some((one) => one['agent_id'] === agentId);

describe('a disabled organisation', () => {
  it('has keys that do nothing, and agents that count as suspended, at once and until it is enabled', async () => {
    const org = await createOrg();
    const [live, draft, own] = [await newAgent(org.key), await newAgent(org.sandboxKey), await newAgent(org.key)];
    const link = await post('/rotate', { agent_id: own.agentId }, org.key);
    const key = { 'idempotency-key': randomUUID() };
    const update = { agent_id: live.agentId, specialty: 'new' };
    const registration = { agent_id: unique('agent') };
    expect((await post('/update', update, { ...org.key, ...key })).status).toBe(200);
    expect((await post('/register', registration, { ...org.key, ...key })).status).toBe(201);
    const askAll = async () => ({
      keys: await everywhere((gateway) => get('/org/whoami', org.key, gateway)),
      sandboxKeys: await everywhere((gateway) => get('/org/agents', org.sandboxKey, gateway)),
      verified: await everywhere((gateway) => verify(live.agentId, {}, gateway)),
      profiles: await everywhere((gateway) => get(`/agent/${live.agentId}`, {}, gateway)),
      calls: await everywhere((gateway) =>
        post(
          '/call',
          { caller_agent_id: caller.agentId, agent_id: live.agentId, message: textMessage('hello') },
          caller.auth,
          gateway,
        ),
      ),
      byAgents: await everywhere((gateway) => post('/update', update, live.auth, gateway)),
    });
    const before = await askAll();
    expect(new Set(Object.values(before).flatMap((answers) => answers.map(({ status }) => status)))).toEqual(
      new Set([200]),
    );
    expect(await isFound(org, live.agentId)).toBe(true);

    const disabled = await ops(org.name, 'disable');
    expect(disabled.body).toMatchObject({ org_name: org.name, status: 'disabled', reason: 'a test' });
    const orgId = String(disabled.body['org_id']);
    const after = await askAll();
    expect(new Set([...after.keys, ...after.sandboxKeys].map(refusalOf))).toEqual(
      new Set(['403 organisation_disabled']),
    );
    const blocked = [0, ['suspended'], 'block'];
    expect([...after.verified, ...after.profiles].map(shown)).toEqual(Array(20).fill(blocked));
    expect(new Set([...after.calls, ...after.byAgents].map(refusalOf))).toEqual(new Set(['403 agent_suspended']));
    expect(await isFound(org, live.agentId)).toBe(false);
    const refused = [
      await post('/update', update, { ...org.key, ...key }),
      await post('/register', registration, { ...org.key, ...key }),
      await post('/register', { agent_id: unique('agent') }, org.key),
      await post('/rotate', { agent_id: live.agentId }, { ...org.key, ...freshClient() }),
      await post('/retire', { agent_id: live.agentId }, org.key),
    ];
    expect(refused.map(refusalOf)).toEqual(refused.map(() => '403 organisation_disabled'));
    expect(refusalOf(await post('/rotate', { agent_id: live.agentId }, freshClient()))).toBe('403 agent_suspended');
    expect(refusalOf(await redeem(link.body['claim_link']))).toBe('403 agent_suspended');
    expect(refusalOf(await call(draft, draft.agentId, textMessage('x')))).toBe('403 agent_suspended');
    const history = await get(`/agent/${live.agentId}/trust`);
    expect([history.body['trust_score'], history.body['flags']]).toEqual([75, ['suspended']]);

    // Suspended by itself meanwhile, an agent stays so.
    expect((await post(`/ops/agents/${own.agentId}/suspend`, { reason: 'x' }, adminToken)).status).toBe(200);
    expect((await ops(orgId, 'enable')).body).toEqual({ org_id: orgId, org_name: org.name, status: 'enabled' });
    const again = await askAll();
    expect(new Set(Object.values(again).flatMap((answers) => answers.map(({ status }) => status)))).toEqual(
      new Set([200]),
    );
    expect(again.verified.map(shown)).toEqual(again.verified.map(() => shown(again.profiles[0] as Answer)));
    expect(shown(await verify(live.agentId))[0]).toBe(75);
    expect(shown(await verify(own.agentId))).toEqual(blocked);
    expect(await isFound(org, live.agentId)).toBe(true);
    const position = String((history.body['as_of'] as Body)['position']);
    expect(shown(await post(`/verify?as_of=${position}`, { agent_id: live.agentId }))).toEqual(blocked);
  });

  it('has no agent that gets around it: one registered at the same moment is suspended too', async () => {
    const org = await createOrg();
    const ids = Array.from({ length: 10 }, () => unique('agent'));
    const [disabled, ...registered] = await Promise.all([
      ops(org.name, 'disable'),
      ...ids.map((agent_id) => served(() => post('/register', { agent_id, endpoint_url: endpoint.url }, org.key))),
    ]);
    expect(disabled?.status).toBe(200);
    for (const [index, answer] of registered.entries()) {
      if (answer.status === 403) continue;
      expect(answer.status).toBe(201);
      expect(shown(await verify(ids[index] ?? ''))).toEqual([0, ['suspended'], 'block']);
    }
  });

  it('is disabled and enabled once, however often that is asked for', async () => {
    const org = await createOrg();
    const [first, second] = await Promise.all([ops(org.name, 'disable', 'one'), ops(org.name, 'disable', 'two')]);
    expect(first.body).toEqual(second.body);
    expect((await ops(org.name, 'enable')).body).toEqual((await ops(org.name, 'enable')).body);
  });

  it('is for the operator, who gives a reason', async () => {
    const org = await createOrg();
    for (const what of ['disable', 'enable', 'reissue-keys']) {
      const path = `/ops/organisations/${encodeURIComponent(org.name)}/${what}`;
      for (const credential of [{}, org.key, caller.auth])
        expect((await post(path, { reason: 'x' }, credential)).status).toBe(401);
      expect((await post(path, {}, adminToken)).status).toBe(422);
      expect(refusalOf(await ops(unique('nobody'), what))).toBe('404 organisation_not_found');
    }
    expect((await get('/org/whoami', org.key)).status).toBe(200);
  });
});

describe('reissued keys', () => {
  it('replace both at once everywhere, also of a disabled organisation', async () => {
    const org = await createOrg();
    await everywhere((gateway) => get('/org/whoami', org.key, gateway));
    await everywhere((gateway) => get('/org/whoami', org.sandboxKey, gateway));
    const { status, body } = await ops(org.name, 'reissue-keys');
    expect([status, body['org_name']]).toEqual([200, org.name]);
    const former = await everywhere((gateway) => get('/org/whoami', org.key, gateway));
    const formerSandbox = await everywhere((gateway) => get('/org/whoami', org.sandboxKey, gateway));
    expect(new Set([...former, ...formerSandbox].map(refusalOf))).toEqual(new Set(['401 invalid_api_key']));
    const [key, sandboxKey] = [orgKey(String(body['api_key'])), orgKey(String(body['sandbox_api_key']))];
    expect((await get('/org/whoami', key)).body).toEqual({ org_name: org.name, is_sandbox: false });
    expect((await get('/org/whoami', sandboxKey)).body).toEqual({ org_name: org.name, is_sandbox: true });

    expect((await ops(org.name, 'disable')).status).toBe(200);
    const newest = await ops(org.name, 'reissue-keys');
    expect(refusalOf(await get('/org/whoami', key))).toBe('401 invalid_api_key');
    const newKey = orgKey(String(newest.body['api_key']));
    expect(refusalOf(await get('/org/whoami', newKey))).toBe('403 organisation_disabled');
    expect((await ops(org.name, 'enable')).status).toBe(200);
    expect((await get('/org/whoami', newKey)).status).toBe(200);
  });
});
