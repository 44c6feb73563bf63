import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  createOrg,
  type HeaderMap,
  join,
  keepingNames,
  type Member,
  type Org,
  post,
  profile,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
let org: Org;
let rival: Org;

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  rival = await createOrg();
  return () => endpoint.stop();
});

const promote = (body: Body, headers: HeaderMap = org.sandboxKey): Promise<Answer> =>
  post('/sandbox/promote', body, headers);
const update = (agentId: string, fields: Body, headers: HeaderMap = org.sandboxKey): Promise<Answer> =>
  post('/update', { agent_id: agentId, ...keepingNames(fields) }, headers);
const reported = ({ status, body }: Answer): [number, unknown] => [status, body['code']];
const owned = async (agentId: string, headers: HeaderMap): Promise<Body> =>
  (await ask('GET', `/org/agents/${agentId}`, { headers, owner: true })).body;
const domain = (): string => `${unique('d')}.example`;
const pairOf = async (fields: Body = {}): Promise<{ live: Member; draft: Member }> => {
  const live = await join(org.key, { endpoint_url: endpoint.url, contact_info: 'live desk', ...fields });
  return { live, draft: await join(org.sandboxKey, { clone_from_agent_id: live.agentId }) };
};

/** Every configuration field, with a value that differs from the clone's initial one. */
const everyField = (): Body => ({
  capabilities: [{ name: unique('promoted').replaceAll('-', '_'), weight: 3 }],
  endpoint_url: `${endpoint.url}/new`,
  protocol: 'https',
  accepted_terms_format: 'odrl',
  settlement_rail: ['x402'],
  http_methods: ['GET'],
  specialty: 'promoted',
  price_schedule: [{ task: 'quote', price: 2.5 }],
  payment_network: 'base',
  payment_pay_to: '0xabc',
  payment_asset: 'USDC',
  message_protocol: 'mcp',
  a2a_compliant: true,
  accepted_content_types: ['application/json'],
  payload_schema: { currency: 'EUR', date_format: null, quantity_unit: null, weight_unit: null },
  signup_help: 'write to us',
  auth_header_name: 'x-key',
});
const shownFields = ({ routing, ...agent }: Body): Body => ({ ...agent, ...(routing as Body) });

describe('promote', () => {
  it("copies every configuration field, but not the live agent's identity or reputation", async () => {
    const { live, draft } = await pairOf({ org_domain: domain() });
    const fields = everyField();
    expect((await update(draft.agentId, { ...fields, contact_info: 'draft desk', public_key: null })).status).toBe(200);
    const before = await owned(live.agentId, org.key);

    const answer = await promote({ sandbox_agent_id: draft.agentId });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        sandbox_agent_id: draft.agentId,
        real_agent_id: live.agentId,
        fields_copied: expect.arrayContaining(Object.keys(fields)) as unknown,
        promoted_at: expect.stringMatching(/Z$/u) as unknown,
      },
    ]);
    expect(answer.body['fields_copied']).toHaveLength(Object.keys(fields).length);
    const after = await owned(live.agentId, org.key);
    expect(shownFields(after)).toMatchObject(fields);
    const kept = ['agent_id', 'org_name', 'org_domain', 'contact_info', 'verified', 'trust_score', 'transaction_count'];
    for (const field of [...kept, 'success_rate', 'registered_at', 'is_sandbox', 'related_agent_id', 'last_active']) {
      expect([field, after[field]]).toEqual([field, before[field]]);
    }
    const found = await post('/match', { required_capabilities: [(fields['capabilities'] as Body[])[0]?.['name']] });
    expect(found.list.map((agent) => agent['agent_id'])).toEqual([live.agentId]);
  });

  it('also copies empty fields', async () => {
    const { live, draft } = await pairOf(everyField());
    await update(draft.agentId, { endpoint_url: null, specialty: null, capabilities: null });
    expect((await promote({ agent_id: draft.agentId, real_agent_id: live.agentId })).status).toBe(200);
    expect(shownFields(await owned(live.agentId, org.key))).toMatchObject({
      endpoint_url: null,
      specialty: null,
      capabilities: [],
      signup_help: 'write to us',
    });
    const { body } = await profile(live.agentId);
    expect(body['flags']).toContain('no_endpoint');
    expect((await post('/match', { org_name: org.name })).list.map((agent) => agent['agent_id'])).not.toContain(
      live.agentId,
    );
  });

  it("copies the draft's org_domain if it has one, and frees the former one", async () => {
    const [former, next] = [domain(), domain()];
    const { live, draft } = await pairOf({ org_domain: former });
    expect((await update(draft.agentId, { org_domain: next })).status).toBe(200);
    const answer = await promote({ sandbox_agent_id: draft.agentId });
    expect(answer.body['fields_copied']).toContain('org_domain');
    expect((await profile(live.agentId)).body['org_domain']).toBe(next);
    const wants = (org_domain: string) => post('/register', { agent_id: unique('wants'), org_domain }, rival.key);
    expect([(await wants(former)).status, (await wants(next)).status]).toEqual([201, 409]);
  });

  it('applies the rules of production, although the admin let the draft break them', async () => {
    const { live, draft } = await pairOf();
    const heavy = { capabilities: ['a', 'b'].map((letter) => ({ name: unique(letter), weight: 3 })) };
    expect((await update(draft.agentId, heavy, adminToken)).status).toBe(200);
    expect(reported(await promote({ sandbox_agent_id: draft.agentId }))).toEqual([400, 'capability_weights_exceeded']);
    expect((await profile(live.agentId)).body['capabilities']).toEqual([]);
  });
});

describe('is refused', () => {
  let pair: { live: Member; draft: Member };
  let single: Member;
  beforeAll(async () => {
    pair = await pairOf();
    single = await join(org.sandboxKey);
  });

  it('without the sandbox key of the organisation', async () => {
    const body = { sandbox_agent_id: pair.draft.agentId };
    for (const headers of [{}, pair.draft.auth, adminToken]) {
      expect(reported(await promote(body, headers))).toEqual([401, 'credential_required']);
    }
    expect(reported(await promote(body, org.key))).toEqual([403, 'sandbox_key_required']);
    expect(reported(await promote(body, rival.sandboxKey))).toEqual([404, 'agent_not_found']);
  });

  it('for agents that are not a confirmed pair', async () => {
    const other = await join(org.key);
    const { draft, live } = pair;
    for (const body of [
      { sandbox_agent_id: single.agentId },
      { sandbox_agent_id: single.agentId, real_agent_id: live.agentId },
      { sandbox_agent_id: draft.agentId, real_agent_id: other.agentId },
      { sandbox_agent_id: draft.agentId, real_agent_id: draft.agentId },
      { sandbox_agent_id: draft.agentId, real_agent_id: unique('nobody') },
    ]) {
      expect(reported(await promote(body))).toEqual([403, 'not_a_confirmed_pair']);
    }
    expect(reported(await promote({ sandbox_agent_id: live.agentId }))).toEqual([403, 'wrong_universe']);
    expect(reported(await promote({ sandbox_agent_id: unique('nobody') }))).toEqual([404, 'agent_not_found']);
  });

  it('without an agent to promote, or with two', async () => {
    for (const body of [{}, { real_agent_id: pair.live.agentId }, { sandbox_agent_id: 'a', agent_id: 'b' }]) {
      expect(reported(await promote(body, {}))).toEqual([422, 'validation_failed']);
    }
  });
});
