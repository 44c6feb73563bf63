import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  type Body,
  createOrg,
  faultLocations,
  freshClient,
  gateways,
  join,
  type Member,
  type Org,
  post,
  profile,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { freshKey, rotate, send, signer } from '../support/signer.ts';
import { configurationIn, everyField, outcome, owned, update } from '../support/updates.ts';
import { served } from '../support/served.ts';

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

/** All fields that the owner sees, except derived ones and those that change by themselves. */
const seen = async ({ agentId }: Member): Promise<Body> => {
  const { flags: _flags, last_active: _active, ...body } = await owned(agentId, org.key);
  const { pay_via: _payVia, ...routing } = body['routing'] as Body;
  return { ...body, routing };
};
const asRequest = (body: Body): Body => ({ ...configurationIn(body), contact_info: body['contact_info'] });

const full = { ...everyField, contact_info: 'call me' };
const others: Body = {
  capabilities: [{ name: 'price_quote', weight: 1 }],
  endpoint_url: 'http://other.example:8080/x?y=1',
  protocol: 'https',
  accepted_terms_format: 'json',
  settlement_rail: ['stripe'],
  http_methods: ['PUT'],
  specialty: 'Other',
  price_schedule: [
    { task: 'a', price: 1 },
    { task: 'b', price: 2.5 },
  ],
  payment_network: 'solana',
  payment_pay_to: 'abc',
  payment_asset: 'EURC',
  message_protocol: 'raw',
  a2a_compliant: false,
  accepted_content_types: [],
  payload_schema: { currency: null, date_format: null, quantity_unit: 'kg', weight_unit: null },
  signup_help: 'Elsewhere',
  auth_header_name: 'X-Other',
  contact_info: 'write to me',
};

describe('an update writes only the fields that it contains', () => {
  let agent: Member;
  beforeAll(async () => {
    agent = await join(org.key, full);
  });

  it('without fields it changes nothing, and is 200', async () => {
    const before = await seen(agent);
    expect((await update(agent.agentId, {}, agent.auth)).status).toBe(200);
    expect((await update(agent.agentId, full, agent.auth)).status).toBe(200);
    expect(await seen(agent)).toEqual(before);
  });

  it.each(Object.keys(others))('%s alone', async (field) => {
    const before = asRequest(await seen(agent));
    expect(before[field]).not.toEqual(others[field]);
    const answer = await update(agent.agentId, { [field]: others[field] }, agent.auth);
    expect(answer.status).toBe(200);
    expect(asRequest(await seen(agent))).toEqual({ ...before, [field]: others[field] });
  });

  it('other data than the configuration stays the same in all of these updates', async () => {
    const { ratings_received, registered_at, ...rest } = await seen(agent);
    expect(ratings_received).toEqual([]);
    expect(Date.parse(String(registered_at))).toBeLessThan(Date.now());
    expect(rest).toMatchObject({ org_name: org.name, trust_score: 75, transaction_count: 0, is_sandbox: false });
  });

  it.each(['agent_id', 'verified', 'trust_score', 'clone_from_agent_id', 'is_sandbox', 'role', 'status', '__proto__'])(
    'an unknown field is ignored: %s',
    async (field) => {
      const before = await seen(agent);
      const body = `{"specialty":"Other",${JSON.stringify(field)}:"x","agent_id":${JSON.stringify(agent.agentId)}}`;
      expect((await post('/update', body, { ...agent.auth, 'content-type': 'application/json' })).status).toBe(200);
      expect(await seen(agent)).toEqual(before);
    },
  );
});

describe('null', () => {
  const nullable = Object.keys(others).filter(
    (field) => !['capabilities', 'message_protocol', 'a2a_compliant', 'accepted_content_types'].includes(field),
  );

  it.each(nullable)('clears %s', async (field) => {
    // A price schedule would require the payment fields.
    const { price_schedule, ...rest } = full;
    const agent = await join(org.key, field === 'price_schedule' ? { ...rest, price_schedule } : rest);
    const before = asRequest(await seen(agent));
    expect((await update(agent.agentId, { [field]: null }, agent.auth)).status).toBe(200);
    expect(asRequest(await seen(agent))).toEqual({ ...before, [field]: null });
  });

  it('clears capabilities to the empty list, and leaves message_protocol and a2a_compliant unchanged', async () => {
    const agent = await join(org.key, full);
    const fields = { capabilities: null, message_protocol: null, a2a_compliant: null };
    expect((await update(agent.agentId, fields, agent.auth)).status).toBe(200);
    expect(asRequest(await seen(agent))).toEqual({ ...full, capabilities: [] });
  });

  it('is 422 for accepted_content_types', async () => {
    const agent = await join(org.key);
    const answer = await update(agent.agentId, { accepted_content_types: null }, agent.auth);
    expect([answer.status, faultLocations(answer)]).toEqual([422, ['body.accepted_content_types']]);
  });

  it('clears contact_email, and a claim link needs a credential from then on', async () => {
    const agent = await join();
    const ask = () => post('/rotate', { agent_id: agent.agentId }, freshClient());
    expect((await ask()).status).toBe(200);
    expect((await update(agent.agentId, { contact_info: 'kept' }, agent.auth)).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect((await update(agent.agentId, { contact_email: null }, agent.auth)).status).toBe(200);
    expect(outcome(await ask())).toEqual([400, 'contact_email_missing']);
    expect((await profile(agent.agentId)).body['contact_info']).toBe('kept');
    expect((await update(agent.agentId, { contact_email: 'b@agent.example' }, agent.auth)).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  it('clears public_key, and from then on the signature fails, but not the bearer key', async () => {
    const agent = await join();
    const key = await freshKey(agent.agentId);
    expect((await update(agent.agentId, { public_key: key.publicKey }, agent.auth)).status).toBe(200);
    expect((await send(key, '/update', { agent_id: agent.agentId, specialty: 's' })).status).toBe(200);
    expect((await update(agent.agentId, { public_key: null }, agent.auth)).status).toBe(200);
    for (const gateway of gateways) expect((await rotate(key, { gateway })).status).toBe(401);
    expect((await update(agent.agentId, { specialty: 't' }, agent.auth)).status).toBe(200);
  });

  it('an agent that clears its own key cannot sign the next request', async () => {
    const key = await signer();
    expect((await send(key, '/update', { agent_id: key.keyId, public_key: null })).status).toBe(200);
    expect((await send(key, '/update', { agent_id: key.keyId })).status).toBe(401);
  });
});

describe('the result of an update must satisfy the rules', () => {
  const weighted = (...weights: number[]) => weights.map((weight, index) => ({ name: `own_${index}`, weight }));
  const noQuestions = { capability_confirmations: Object.fromEntries([0, 1, 2, 3].map((i) => [`own_${i}`, false])) };

  it('capability weight tiers: 400 if exceeded, except for the admin', async () => {
    const agent = await join();
    const set = (weights: number[], credential = agent.auth): Promise<Answer> =>
      update(agent.agentId, { capabilities: weighted(...weights), ...noQuestions }, credential);
    expect((await set([3, 2, 2, 1])).body['capabilities']).toEqual(weighted(3, 2, 2, 1));
    for (const weights of [
      [3, 3],
      [2, 2, 2],
      [1, 1, 1, 1],
    ]) {
      expect(outcome(await set(weights))).toEqual([400, 'capability_weights_exceeded']);
    }
    expect((await set([3, 3], adminToken)).body['capabilities']).toEqual(weighted(3, 3));
    // The tiers that the admin exceeded do not block updates of other fields.
    expect((await update(agent.agentId, { specialty: 's' }, agent.auth)).status).toBe(200);
  });

  const payment = { payment_network: 'base', payment_pay_to: '0xabc', payment_asset: 'USDC' };
  const price_schedule = [{ task: 't', price: 1 }];
  const incomplete = [422, 'price_schedule_incomplete'];

  it('a price schedule needs the payment fields, in the same request or stored', async () => {
    const agent = await join();
    const set = (fields: Body, credential = agent.auth): Promise<Answer> => update(agent.agentId, fields, credential);
    expect(outcome(await set({ price_schedule }))).toEqual(incomplete);
    expect(faultLocations(await set({ price_schedule }))).toEqual(['body.price_schedule']);
    expect(outcome(await set({ ...payment, payment_asset: null, price_schedule }))).toEqual(incomplete);
    expect((await set({ ...payment, price_schedule })).status).toBe(200);
    expect((await set({ price_schedule: null })).status).toBe(200);
    expect((await set({ price_schedule })).status).toBe(200);
    for (const field of Object.keys(payment)) {
      expect(outcome(await set({ [field]: null }))).toEqual(incomplete);
      expect((await set({ [field]: null }, adminToken)).status).toBe(200);
      expect((await set({ [field]: 'again' })).status).toBe(200);
    }
    expect((await set({ payment_asset: null, price_schedule: [] })).status).toBe(200);
  });

  it.each(['x', Buffer.alloc(31, 7).toString('base64url'), Buffer.alloc(32).toString('base64url'), ''])(
    'an invalid public_key is 400 for every caller: %j',
    async (public_key) => {
      const agent = await join(org.key);
      for (const credential of [agent.auth, org.key, adminToken]) {
        expect(outcome(await update(agent.agentId, { public_key }, credential))).toEqual([400, 'invalid_public_key']);
      }
    },
  );

  it.each([
    ['endpoint_url', 'ftp://a.example/'],
    ['endpoint_url', ''],
    ['message_protocol', 'grpc'],
    ['payload_schema', { colour: 'red' }],
    ['contact_email', 'nobody'],
    ['capabilities', 'a'],
    ['org_domain', 'nodot'],
    ['pull_from_agent_id', ''],
    ['price_schedule', Array.from({ length: 21 }, () => ({ task: 't', price: 1 }))],
  ])('%s must not be %j, for any caller', async (field, value) => {
    const agent = await join(org.key);
    for (const credential of [agent.auth, adminToken, {}]) {
      const answer = await update(agent.agentId, { [field]: value }, credential);
      expect(answer.status).toBe(422);
      expect(faultLocations(answer)[0]).toMatch(new RegExp(`^body\\.${field}`, 'u'));
    }
  });
});

describe('a capability similar to a canonical one', () => {
  it('causes a 202 with a question, and nothing is written; answered, it is stored, and causes no question again', async () => {
    const agent = await join(org.key, { specialty: 'before' });
    const fields = { capabilities: ['Fraud detections'], specialty: 'after' };
    const question = await update(agent.agentId, fields, agent.auth);
    expect([question.status, question.body['status']]).toEqual([202, 'capability_confirmation_required']);
    expect(question.body['agent_id']).toBe(agent.agentId);
    expect(asRequest(await seen(agent))).toMatchObject({ capabilities: [], specialty: 'before' });
    const { candidate_matches } = question.body as { candidate_matches: Record<string, string> };
    const [name = '', candidate = ''] = Object.entries(candidate_matches)[0] ?? [];
    const answers = { capability_confirmations: { [name]: true }, candidate_matches };
    const stored = await update(agent.agentId, { ...fields, ...answers }, agent.auth);
    expect(stored.body).toMatchObject({ capabilities: [{ name: candidate, weight: 1 }], specialty: 'after' });
    expect((await update(agent.agentId, { capabilities: [candidate] }, agent.auth)).status).toBe(200);
  });

  it('causes no question if anything else is wrong, for the admin, or if the agent has it', async () => {
    const agent = await join(org.key);
    const taken = await join(org.key);
    const fields = { capabilities: ['Flight bookings made'] };
    expect((await update(agent.agentId, fields, agent.auth)).status).toBe(202);
    expect(outcome(await update(agent.agentId, { ...fields, public_key: 'x' }, agent.auth))[0]).toBe(400);
    expect(outcome(await update(agent.agentId, { ...fields, org_name: 'x' }, agent.auth))[0]).toBe(403);
    expect(outcome(await update(taken.agentId, fields, agent.auth))[0]).toBe(403);
    expect((await update(agent.agentId, fields, adminToken)).status).toBe(200);
    expect((await update(agent.agentId, { ...fields, specialty: 's' }, agent.auth)).status).toBe(200);
  });
});

/*
 * Bug: two updates read the same configuration, and the later one overwrites the earlier one's field.
 * Method: one update for each field, all at once over two gateways; the result must have every one.
 */
it('twenty concurrent updates of different fields all take effect', async () => {
  const agent = await join(org.key);
  const key = await freshKey(agent.agentId);
  const org_domain = `${unique('busy')}.example`;
  const patches: Body[] = [
    // Prices come with the payment fields.
    {
      price_schedule: full.price_schedule,
      ...Object.fromEntries(Object.entries(full).filter(([field]) => field.startsWith('payment_'))),
    },
    ...Object.entries(full)
      .filter(([field]) => field !== 'price_schedule')
      .map(([field, value]) => ({ [field]: value })),
    { public_key: key.publicKey },
    { org_domain },
  ];
  expect(patches).toHaveLength(20);
  const answers = await Promise.all(
    patches.map((fields, index) =>
      served(() => update(agent.agentId, fields, { ...org.key, ...agent.auth }, gateways[index % 2])),
    ),
  );
  expect(answers.map(outcome)).toEqual(patches.map(() => [200, undefined]));
  const after = await seen(agent);
  expect(asRequest(after)).toEqual(full);
  expect(after['org_domain']).toBe(org_domain);
  expect((await rotate(key)).status).toBe(200);
});
