import {
  capabilityConfirmationRequired,
  DomainError,
  faultAt,
  findSignatureKey,
  getAgent,
  production,
  trustObject,
  updateAgent,
} from '@agent-trust/contracts';
import { keyOf, signedHeaders } from '@agent-trust/http-signature/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentKey, organisation, orgKey, publicAgent, sandbox, sandboxKey } from '../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

const signer = await keyOf('signer');
let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(updateAgent, () => ({ outcome: 'updated' as const, universe: sandbox.universe, position: '9' }));
  under.bus.answer(getAgent, ({ agentId }) => ({ agent: publicAgent({ agentId, specialty: 'after' }) }));
  under.bus.answer(findSignatureKey, ({ agentId }) => ({
    signer: {
      identity: { agentId, universe: production, orgId: null },
      publicKey: signer.publicKey,
      orgDomain: null,
      domainVerified: false,
      agentsOfDomain: 0,
    },
  }));
});
afterAll(() => under.stop());

const own = { authorization: `Bearer ${agentKey}` };
const admin = { authorization: `Bearer ${adminToken}` };
const update = (body: object, headers: Record<string, string> = own): Promise<Response> =>
  post(`${under.url}/update`, { agent_id: 'caller', ...body }, headers);
const lastCommand = () => under.bus.inputsOf(updateAgent).at(-1);
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];

describe('POST /update', () => {
  it("returns the public trust object, read in the agent's universe and after the write", async () => {
    const response = await update({ specialty: 's' });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(trustObject.parse(JSON.parse(text))).toMatchObject({ agent_id: 'caller', specialty: 'after' });
    expect(text).not.toContain('endpoint_url');
    expect(under.bus.inputsOf(getAgent).at(-1)).toEqual({
      agentId: 'caller',
      universe: sandbox.universe,
      atLeast: '9',
    });
  });

  it('passes on exactly the fields of the body, including null', async () => {
    await update({});
    expect(lastCommand()).toMatchObject({ contact: {}, configuration: {}, pullFromAgentId: null, commandId: null });
    expect(Object.keys(lastCommand() ?? {})).not.toEqual(expect.arrayContaining(['orgName', 'orgDomain', 'publicKey']));
    await update({
      org_name: null,
      org_domain: 'ACME.test.',
      public_key: null,
      contact_email: null,
      capabilities: null,
      endpoint_url: null,
      settlement_rail: 'x402',
      message_protocol: null,
      a2a_compliant: null,
      pull_from_agent_id: 'live',
      capability_confirmations: { 'Two Words': true },
      candidate_matches: { 'two-words': 'Some Name' },
      clone_from_agent_id: 'ignored',
      verified: true,
    });
    expect(lastCommand()).toMatchObject({
      orgName: null,
      orgDomain: 'acme.test',
      publicKey: null,
      contact: { contactEmail: null },
      configuration: { capabilities: [], endpointUrl: null, settlementRail: ['x402'] },
      pullFromAgentId: 'live',
      confirmations: { two_words: true },
      candidateMatches: { two_words: 'some_name' },
    });
    expect(Object.keys(lastCommand()?.configuration ?? {})).toHaveLength(3);
    expect(Object.keys(lastCommand()?.contact ?? {})).toEqual(['contactEmail']);
  });

  it('returns 202 with the question which capability is meant', async () => {
    under.bus.answer(updateAgent, () => ({
      outcome: 'confirmation_required' as const,
      candidateMatches: { translating: 'translation' },
      candidates: { translating: [{ name: 'translation', similarity: 0.8 }] },
    }));
    const response = await update({ capabilities: ['translating'] });
    expect(response.status).toBe(202);
    expect(capabilityConfirmationRequired.parse(await response.json())).toMatchObject({
      agent_id: 'caller',
      candidate_matches: { translating: 'translation' },
    });
  });

  it("returns each refusal with its code's status", async () => {
    for (const [code, status] of [
      ['agent_not_found', 404],
      ['not_owner', 403],
      ['wrong_universe', 403],
      ['org_fields_forbidden', 403],
      ['sandbox_key_required', 403],
      ['not_a_confirmed_pair', 403],
      ['invalid_public_key', 400],
      ['capability_weights_exceeded', 400],
      ['org_domain_taken', 409],
      ['write_conflict', 503],
    ] as const) {
      under.bus.answer(updateAgent, () => {
        throw new DomainError(code, 'why');
      });
      expect(await codeOf(await update({}))).toEqual([status, code]);
    }
    under.bus.answer(updateAgent, () => {
      throw faultAt('price_schedule_incomplete', ['body', 'price_schedule'], 'why');
    });
    expect(await codeOf(await update({}))).toEqual([422, 'price_schedule_incomplete']);
  });

  it('reports that the write has happened if readers lag behind', async () => {
    under.bus.answer(getAgent, () => {
      throw new DomainError('read_model_behind', 'behind');
    });
    const response = await update({});
    expect(await codeOf(response)).toEqual([503, 'read_model_behind']);
  });

  it('is 404 if the agent left the universe between the write and the read', async () => {
    under.bus.answer(getAgent, () => ({ agent: null }));
    expect(await codeOf(await update({}))).toEqual([404, 'agent_not_found']);
  });
});

describe('the credentials of an update', () => {
  const signed = (body: object = {}): Promise<Record<string, string>> =>
    signedHeaders(signer, `${under.url}/update`, JSON.stringify({ agent_id: 'caller', ...body }));

  it('are all passed on', async () => {
    const nobody = { agentId: null, organisation: null, admin: false };
    const caller = { ...nobody, agentId: 'caller' };
    // Which of its keys an organisation used is known from the actor.
    const [ofProduction, ofSandbox] = [organisation, sandbox].map(({ namedKey: _key, ...identity }) => identity);
    const sent: [Record<string, string>, object, object][] = [
      [own, caller, { kind: 'agent', id: 'caller' }],
      [await signed(), { ...nobody, agentId: 'signer' }, { kind: 'agent', id: 'signer' }],
      [{ 'x-api-key': orgKey }, { ...nobody, organisation: ofProduction }, { kind: 'organisation', id: 'org1' }],
      [{ 'x-api-key': sandboxKey }, { ...nobody, organisation: ofSandbox }, { kind: 'organisation', id: 'org1' }],
      [admin, { ...nobody, admin: true }, { kind: 'admin', id: null }],
      [
        { ...own, 'x-api-key': orgKey },
        { ...caller, organisation: ofProduction },
        { kind: 'organisation', id: 'org1' },
      ],
      [
        { ...admin, 'x-api-key': orgKey },
        { ...nobody, organisation: ofProduction, admin: true },
        { kind: 'admin', id: null },
      ],
      [
        { ...(await signed()), ...admin, 'x-api-key': sandboxKey },
        { agentId: 'signer', organisation: ofSandbox, admin: true },
        { kind: 'admin', id: null },
      ],
    ];
    for (const [headers, credentials, actor] of sent) {
      expect((await update({}, headers)).status).toBe(200);
      expect(lastCommand()).toMatchObject({ credentials, actor });
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['none', {}, 'credential_required'],
    ['a bearer key that is none', { authorization: 'Bearer nonsense-of-the-tests' }, 'invalid_credential'],
    ['another scheme', { authorization: `Basic ${adminToken}` }, 'invalid_credential'],
    ['an empty Authorization', { authorization: '' }, 'invalid_credential'],
    ['an API key that is none', { 'x-api-key': 'nonsense' }, 'invalid_api_key'],
    ['an empty API key', { 'x-api-key': '' }, 'invalid_api_key'],
    [
      'a broken bearer key beside a good API key',
      { authorization: 'Bearer x', 'x-api-key': orgKey },
      'invalid_credential',
    ],
    ["a broken API key beside the admin's", { ...admin, 'x-api-key': 'nonsense' }, 'invalid_api_key'],
    [
      'a broken signature beside a good key',
      { ...own, signature: 'sig1=:AAAA:', 'signature-input': 'sig1=()' },
      'invalid_credential',
    ],
  ])('%s are 401, and no update is requested', async (_, headers, code) => {
    const before = under.bus.inputsOf(updateAgent).length;
    expect(await codeOf(await update({}, headers))).toEqual([401, code]);
    expect(under.bus.inputsOf(updateAgent)).toHaveLength(before);
  });

  it('a signature that covers another body, and one beside the key of another agent, are 401', async () => {
    expect(await codeOf(await update({ specialty: 'x' }, await signed()))).toEqual([401, 'invalid_credential']);
    expect(await codeOf(await update({}, { ...(await signed()), ...own }))).toEqual([401, 'invalid_credential']);
  });

  it('are checked after the shape of the body', async () => {
    expect((await update({ agent_id: 7 }, {})).status).toBe(422);
    expect((await update({ accepted_content_types: null }, {})).status).toBe(422);
  });
});
