import {
  capabilityConfirmationRequired,
  DomainError,
  faultAt,
  getOwnerAgent,
  production,
  registerAgent,
  registerResponse,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../credentials/keys.ts';
import { agentKey, orgKey, ownerAgent, sandboxKey } from '../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => answerAsKnown(under.bus));
afterAll(() => under.stop());

const register = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  post(`${under.url}/register`, { agent_id: 'a', contact_email: 'a@acme.test', ...body }, headers);
const lastCommand = () => under.bus.inputsOf(registerAgent).at(-1);
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];
const admin = { authorization: `Bearer ${adminToken}` };

describe('POST /register', () => {
  it("returns 201 with the owner's trust object and a claim link; only the hash of its token has left the gateway", async () => {
    const response = await register({});
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = registerResponse.parse(await response.json());
    expect(body).toMatchObject({
      agent_key: null,
      status: 'registered',
      routing: { endpoint_url: ownerAgent().endpointUrl },
    });
    const token = new URL(body.claim_link).searchParams.get('token') ?? '';
    expect(body.claim_link.startsWith(`${under.url}/rotate?token=`)).toBe(true);
    expect(lastCommand()?.claimTokenHash).toBe(sha256Hex(token));
    expect(JSON.stringify(under.bus.asked)).not.toContain(token);
  });

  it('reads its own write: the query waits for the position of the command', async () => {
    await register({});
    expect(under.bus.inputsOf(getOwnerAgent).at(-1)).toEqual({ agentId: 'a', universe: production, atLeast: '7' });
  });

  it('passes on exactly the fields of the body, under their names in the code', async () => {
    await register({
      capabilities: ['Machine Translation', { name: 'ocr', weight: 3 }],
      settlement_rail: 'x402',
      http_methods: ['get'],
      payload_schema: { date_format: 'iso' },
      unknown_field: 1,
    });
    expect(lastCommand()).toEqual({
      agentId: 'a',
      orgName: null,
      orgDomain: null,
      publicKey: null,
      cloneFromAgentId: null,
      confirmations: {},
      candidateMatches: {},
      commandId: null,
      earlierCommandId: null,
      claimTokenHash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      contact: { contactEmail: 'a@acme.test', contactInfo: null },
      credential: { kind: 'none' },
      actor: { kind: 'anonymous', id: null, credentials: [] },
      configuration: {
        capabilities: [
          { name: 'machine_translation', weight: 1 },
          { name: 'ocr', weight: 3 },
        ],
        settlementRail: ['x402'],
        httpMethods: ['GET'],
        payloadSchema: { dateFormat: 'iso', currency: null, quantityUnit: null, weightUnit: null },
      },
    });
  });

  it('passes on the registering party', async () => {
    await register({}, { 'x-api-key': orgKey });
    expect(lastCommand()).toMatchObject({
      credential: { kind: 'organisation', orgId: 'org1', universe: production },
      actor: { kind: 'organisation', credentials: ['production_key'] },
    });
    await register({ verified: true }, admin);
    expect(lastCommand()).toMatchObject({
      credential: { kind: 'admin', verified: true },
      actor: { kind: 'admin', credentials: ['admin_token'] },
    });
    await register({}, admin);
    expect(lastCommand()?.credential).toEqual({ kind: 'admin', verified: false });
    // With both credentials, the organisation's key decides who owns the agent.
    await register({ verified: true }, { ...admin, 'x-api-key': sandboxKey });
    expect(lastCommand()?.credential).toMatchObject({ kind: 'organisation', universe: { kind: 'sandbox' } });
  });

  it("ignores an anonymous caller's claim to be verified", async () => {
    await register({ verified: true });
    expect(lastCommand()?.credential).toEqual({ kind: 'none' });
  });

  it.each([
    ['a wrong token', { authorization: 'Bearer wrong-token-of-the-tests' }],
    ["an agent's key", { authorization: `Bearer ${agentKey}` }],
    ['another scheme', { authorization: `Basic ${adminToken}` }],
    ['nothing', { authorization: '' }],
    ['the token twice', { authorization: `Bearer ${adminToken}, Bearer ${adminToken}` }],
    ['a wrong token beside a good key', { authorization: 'Bearer wrong-token-of-the-tests', 'x-api-key': orgKey }],
  ])('refuses %s in Authorization', async (_what, headers: Record<string, string>) => {
    expect(await codeOf(await register({}, headers))).toEqual([401, 'invalid_credential']);
  });

  it('passes on the agent to clone; the domain checks the permission', async () => {
    await register({ clone_from_agent_id: 'b', specialty: null }, { 'x-api-key': sandboxKey });
    expect(lastCommand()).toMatchObject({ cloneFromAgentId: 'b', configuration: { specialty: null } });
    under.bus.answer(registerAgent, () => {
      throw new DomainError('sandbox_key_required', 'needed');
    });
    expect(await codeOf(await register({ clone_from_agent_id: 'b' }))).toEqual([403, 'sandbox_key_required']);
  });

  it('returns 202 with the question about capabilities, without a link, and passes the answers on', async () => {
    under.bus.answer(registerAgent, () => ({
      outcome: 'confirmation_required' as const,
      candidateMatches: { ocr_scan: 'ocr' },
      candidates: { ocr_scan: [{ name: 'ocr', similarity: 0.8 }] },
    }));
    const response = await register({ capabilities: ['OCR scan'] });
    expect(response.status).toBe(202);
    const asked = capabilityConfirmationRequired.parse(await response.json());
    expect(Object.keys(asked)).not.toContain('claim_link');
    expect(asked).toMatchObject({ agent_id: 'a', candidate_matches: { ocr_scan: 'ocr' } });
    await register({
      capabilities: ['OCR scan'],
      capability_confirmations: { 'OCR-Scan': true },
      candidate_matches: asked.candidate_matches,
    });
    expect(lastCommand()).toMatchObject({
      confirmations: { ocr_scan: true },
      candidateMatches: { ocr_scan: 'ocr' },
    });
  });

  it("returns each refusal with its code's status", async () => {
    under.bus.answer(registerAgent, () => {
      throw new DomainError('agent_id_taken', 'taken');
    });
    expect(await codeOf(await register({}))).toEqual([409, 'agent_id_taken']);
    under.bus.answer(registerAgent, () => {
      throw faultAt('contact_required', ['body', 'contact_email'], 'needed');
    });
    const response = await register({});
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'contact_email'] }] },
    ]);
  });

  it('returns 503 that the write has happened if readers cannot see it in time, and still includes the link', async () => {
    under.bus.answer(getOwnerAgent, () => {
      throw new DomainError('read_model_behind', 'behind');
    });
    const response = await register({});
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body['code'], response.headers.get('retry-after')]).toEqual([
      503,
      'read_model_behind',
      '1',
    ]);
    expect(body['detail']).toContain('stands');
    expect(body['claim_link']).toMatch(/\/rotate\?token=/u);
  });

  it('returns 500 without details if a service fails', async () => {
    under.bus.answer(registerAgent, () => {
      throw new Error('postgres://user:hunter2@db');
    });
    const response = await register({});
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([500, { code: 'internal' }]);
    expect(text).not.toContain('hunter2');
    expect(under.logged()).toContain(response.headers.get('x-request-id'));
  });

  it('does not wait for services that it does not need', () => {
    expect(under.bus.awaited).toEqual([]);
  });
});

// Bug: one client fills the registry with agents.
it('limits registrations without a credential by client address, and no others', async () => {
  const limited = await startGatewayUnderTest({ REGISTRATIONS_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' });
  const from = (client: string, headers: Record<string, string> = {}, body: object = {}): Promise<Response> =>
    post(
      `${limited.url}/register`,
      { agent_id: 'a', contact_email: 'a@acme.test', ...body },
      { 'x-forwarded-for': client, ...headers },
    );
  expect((await from('192.0.2.1', {}, { agent_id: 7 })).status).toBe(422);
  for (let count = 0; count < 3; count += 1) expect((await from('192.0.2.1')).status).toBe(201);
  const refused = await from('192.0.2.1');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/u);
  expect(await codeOf(refused)).toEqual([429, 'rate_limited']);
  expect((await from('192.0.2.1', { 'x-api-key': orgKey })).status).toBe(201);
  expect((await from('192.0.2.1', admin)).status).toBe(201);
  expect((await from('192.0.2.2')).status).toBe(201);
  await limited.stop();
});
