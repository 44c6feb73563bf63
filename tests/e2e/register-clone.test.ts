import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  createOrg,
  faultLocations,
  gateways,
  type HeaderMap,
  join,
  keepingNames,
  type Org,
  post,
  profile,
  verify,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

let org: Org;
let rival: Org;
beforeAll(async () => {
  [org, rival] = await Promise.all([createOrg(), createOrg()]);
});

const clone = (from: string, fields: Body = {}, credential: HeaderMap = org.sandboxKey, gateway?: string) =>
  post('/register', { agent_id: unique('draft'), clone_from_agent_id: from, ...fields }, credential, gateway);
const outcome = ({ status, body }: Answer): unknown[] => [status, body['code']];
/** An agent as its organisation sees it. */
const getOwned = (agentId: string, key: HeaderMap): Promise<Answer> =>
  ask('GET', `/org/agents/${encodeURIComponent(agentId)}`, { headers: key, owner: true });
const ownName = unique('own_trade').replaceAll('-', '_');

/** Every configuration field of a registration, none at its default. */
const configuration = {
  capabilities: [
    { name: 'machine_translation', weight: 3 },
    { name: ownName, weight: 2 },
  ],
  endpoint_url: 'https://live.example/run',
  protocol: 'a2a-jsonrpc',
  accepted_terms_format: 'text/markdown',
  settlement_rail: ['x402', 'manual'],
  http_methods: ['GET', 'POST'],
  specialty: 'Contracts',
  price_schedule: [{ task: 'page', price: 0.25 }],
  payment_network: 'base',
  payment_pay_to: '0xabc',
  payment_asset: 'USDC',
  message_protocol: 'a2a',
  a2a_compliant: true,
  accepted_content_types: ['text/html'],
  payload_schema: { currency: 'EUR', date_format: 'iso', quantity_unit: null, weight_unit: 'kg' },
  signup_help: 'Ask us',
  auth_header_name: 'X-Token',
};

/** The configuration in an answer to the owner, with the field names of a registration. */
const shown = ({ body }: Answer): Body => {
  const { pay_via: _, ...routing } = body['routing'] as Body;
  const all: Body = { ...body, ...routing };
  return Object.fromEntries(Object.keys(configuration).map((field) => [field, all[field]]));
};

describe('cloning a live agent', () => {
  it('copies every field of its configuration, and nothing else', async () => {
    const live = await join(org.key, {
      ...configuration,
      org_domain: `${unique('live')}.example`,
      contact_info: 'the live one',
      contact_email: 'live@acme.example',
    });
    const draft = await clone(live.agentId);
    expect(draft.status).toBe(201);
    expect(shown(draft)).toEqual(configuration);
    expect(draft.body).toMatchObject({
      status: 'registered',
      is_sandbox: true,
      org_name: org.name,
      org_domain: null,
      verified: true,
      trust_score: 75,
      transaction_count: 0,
    });
    expect((await profile(String(draft.body['agent_id']), org.sandboxKey)).body['contact_info']).toBeNull();
  });

  it('fields of the request override the copy, including an explicit null; the live agent is unchanged', async () => {
    const live = await join(org.key, configuration);
    const named = {
      specialty: null,
      price_schedule: null,
      payload_schema: null,
      endpoint_url: 'https://draft.example/run',
      capabilities: [{ name: 'ocr', weight: 1 }],
      message_protocol: 'raw',
      a2a_compliant: false,
      accepted_content_types: [],
    };
    const draft = await clone(live.agentId, named);
    expect(draft.status).toBe(201);
    expect(shown(draft)).toEqual({ ...configuration, ...named });
    expect((await verify(live.agentId)).body).toMatchObject({
      specialty: 'Contracts',
      capabilities: configuration.capabilities,
    });
    const empty = await clone((await join(org.key, configuration)).agentId, { capabilities: [] });
    expect(empty.body['capabilities']).toEqual([]);
  });

  it("pairs the two permanently: the owner sees each one's counterpart, and nobody else sees the draft", async () => {
    const live = await join(org.key, configuration);
    const draft = await clone(live.agentId);
    const draftId = String(draft.body['agent_id']);
    expect(draft.body['related_agent_id']).toBe(live.agentId);
    expect((await getOwned(live.agentId, org.key)).body).toMatchObject({
      is_sandbox: false,
      related_agent_id: draftId,
    });
    expect((await getOwned(draftId, org.sandboxKey)).body).toMatchObject({
      is_sandbox: true,
      related_agent_id: live.agentId,
    });
    for (const headers of [{}, org.key, rival.key, rival.sandboxKey]) {
      expect((await verify(draftId, headers)).status).toBe(404);
    }
    const seen = await profile(live.agentId);
    expect(seen.text).not.toContain(draftId);
  });

  it('needs a sandbox key: 403, whether or not the agent exists', async () => {
    const live = await join(org.key);
    for (const credential of [{}, org.key, rival.key, adminToken]) {
      for (const from of [live.agentId, unique('nobody')]) {
        const answer = await clone(from, { contact_email: 'a@b.example' }, credential);
        expect(outcome(answer)).toEqual([403, 'sandbox_key_required']);
      }
    }
  });

  it('finds live agents of the own organisation only: any other is the same 404', async () => {
    const nobody = unique('nobody');
    const others = [
      nobody,
      (await join(rival.key)).agentId,
      (await join()).agentId,
      (await join(org.sandboxKey)).agentId,
      (await join(rival.sandboxKey)).agentId,
    ];
    const words = new Set<string>();
    for (const from of others) {
      const answer = await clone(from);
      expect(outcome(answer)).toEqual([404, 'agent_not_found']);
      words.add(String(answer.body['detail']).replace(JSON.stringify(from), ''));
    }
    expect(words.size).toBe(1);
  });

  it('is allowed once: a second clone is 409, a clone of the draft itself 404', async () => {
    const live = await join(org.key);
    const draft = await clone(live.agentId);
    expect(draft.status).toBe(201);
    expect(outcome(await clone(live.agentId))).toEqual([409, 'already_paired']);
    expect(outcome(await clone(String(draft.body['agent_id'])))).toEqual([404, 'agent_not_found']);
    // Repeating the same registration fails because the agent_id is taken.
    expect(outcome(await clone(live.agentId, { agent_id: draft.body['agent_id'] }))).toEqual([409, 'agent_id_taken']);
  });

  it('of twelve concurrent clones over two gateways, one succeeds', async () => {
    const live = await join(org.key);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        served(() => clone(live.agentId, {}, org.sandboxKey, gateways[index % 2])),
      ),
    );
    const outcomes = answers.map((answer) => outcome(answer).join(' ').trim());
    expect(outcomes.filter((word) => word === '201')).toHaveLength(1);
    expect(outcomes.filter((word) => word === '409 already_paired')).toHaveLength(11);
    const winner = answers.find(({ status }) => status === 201)?.body['agent_id'];
    expect((await getOwned(live.agentId, org.key)).body['related_agent_id']).toBe(winner);
  });
});

describe('the resulting clone must satisfy the rules of registration', () => {
  it('a refused clone does not use up the one clone', async () => {
    const taken = await join(org.sandboxKey);
    const live = await join(org.key, { payment_network: 'base', payment_pay_to: '0xabc', payment_asset: 'USDC' });
    const prices = { price_schedule: [{ task: 't', price: 1 }] };
    const incomplete = await clone(live.agentId, { ...prices, payment_asset: null });
    expect([...outcome(incomplete), faultLocations(incomplete)]).toEqual([
      422,
      'price_schedule_incomplete',
      ['body.price_schedule'],
    ]);
    expect(outcome(await clone(live.agentId, { public_key: 'x' }))).toEqual([400, 'invalid_public_key']);
    expect(outcome(await clone(live.agentId, { agent_id: taken.agentId }))).toEqual([409, 'agent_id_taken']);
    expect(outcome(await clone(live.agentId, { agent_id: '' }))).toEqual([422, 'validation_failed']);
    const tooHeavy = keepingNames({ capabilities: [3, 3].map((weight, index) => ({ name: `own${index}`, weight })) });
    expect(outcome(await clone(live.agentId, tooHeavy))).toEqual([400, 'capability_weights_exceeded']);
    expect((await getOwned(live.agentId, org.key)).body['related_agent_id']).toBeNull();
    // Prices come from the request, and the payment fields from the live agent.
    const draft = await clone(live.agentId, prices);
    expect(draft.status).toBe(201);
    expect(draft.body['routing']).toMatchObject({ ...prices, payment_asset: 'USDC' });
  });

  it('its org_domain comes from the request, and belongs to one holder', async () => {
    const live = await join(org.key, { org_domain: `${unique('live')}.example` });
    const org_domain = `${unique('draft')}.example`;
    const heldBy = await verify(live.agentId);
    expect(outcome(await clone(live.agentId, { org_domain: heldBy.body['org_domain'] }))).toEqual([
      409,
      'org_domain_taken',
    ]);
    expect((await clone(live.agentId, { org_domain })).body['org_domain']).toBe(org_domain);
    expect(outcome(await post('/register', { agent_id: unique('a'), org_domain }, org.key))).toEqual([
      409,
      'org_domain_taken',
    ]);
  });

  it("copied names cause no question, because the live agent's registration settled them", async () => {
    const live = await join(org.key, { capabilities: ['machine translating of letters'] });
    const draft = await clone(live.agentId);
    expect([draft.status, draft.body['capabilities']]).toEqual([
      201,
      [{ name: 'machine_translating_of_letters', weight: 1 }],
    ]);
  });
});
