/** Every operation of the interface, called through the client, with a success and a refusal; none may be missing. */
import {
  type CallOptions,
  type CallResponse,
  generateKeyPair,
  isConfirmationRequired,
  type RegistryClient,
} from '@agent-trust/client';
import { openCheckpoint, verifyReceipt, verifySignedVerdict } from '@agent-trust/client/log';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gateways } from '../support/ask.ts';
import { freshDomain, publishProof } from '../support/domains.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { describedOperations, operator, reached, refusalOf, watchedClient } from '../support/watched-client.ts';

const anonymous = watchedClient();
let agent: RecordingAgent;
let keys: { api_key: string; sandbox_api_key: string; org_name: string };
let org: RegistryClient;
let sandbox: RegistryClient;
beforeAll(async () => {
  agent = await startRecordingAgent();
  keys = await operator().org.createKey({ org_name: unique('org'), contact_email: 'ops@org.example' });
  org = watchedClient({ orgKey: keys.api_key });
  sandbox = watchedClient({ orgKey: keys.sandbox_api_key });
});
afterAll(() => agent.stop());

/** Registers an agent and redeems its claim link. */
const join = async (by: RegistryClient, fields: object = {}): Promise<{ agentId: string; client: RegistryClient }> => {
  const agentId = unique('agent');
  const registered = await by.register({ agent_id: agentId, ...fields });
  if (isConfirmationRequired(registered)) throw new Error(registered.message);
  const { agent_key: agentKey } = await anonymous.redeemClaim(registered.claim_link);
  return { agentId, client: watchedClient({ agentKey: agentKey ?? '' }) };
};
const contact = { contact_email: 'owner@agent.example' };
const unknown = (): string => unique('nobody');

describe('discovery', () => {
  it("reads the service's description", async () => {
    expect((await waitFor(() => anonymous.health())).status).toBe('ok');
    expect(await anonymous.openapi()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/u) as string });
    expect((await anonymous.agentCard()).name).toEqual(expect.any(String));
  });

  it('verifies and shows agents, whatever characters their id has', async () => {
    const agentId = unique('a/ü ?#%2e&"\\');
    await anonymous.register({ agent_id: agentId, ...contact });
    expect(await anonymous.verify({ agent_id: agentId })).toMatchObject({ agent_id: agentId, trust_score: 40 });
    expect(await anonymous.getAgent(agentId)).toMatchObject({ agent_id: agentId, ratings_received: [] });
    expect(await refusalOf(anonymous.verify({ agent_id: unknown() }))).toEqual([404, 'agent_not_found']);
    const nobody = unknown();
    expect(await anonymous.verifyBatch({ agent_ids: [nobody, agentId] })).toEqual([
      { agent_id: nobody, verified: false, trust_score: 0, flags: ['unregistered'], recommended_action: 'block' },
      await anonymous.verify({ agent_id: agentId }),
    ]);
    expect(await refusalOf(anonymous.verifyBatch({ agent_ids: [] }))).toEqual([422, 'validation_failed']);
    expect(await refusalOf(anonymous.getAgent(unknown()))).toEqual([404, 'agent_not_found']);
  });

  it('explains current and past scores, and how they developed', async () => {
    const agentId = unique('a/ü ?#%2e');
    const then = new Date(Date.now() - 1_000).toISOString();
    await anonymous.register({ agent_id: agentId, ...contact });
    const { trust, total, next } = await anonymous.trust(agentId);
    expect([trust.agent_id, trust.trust_score, trust.unrounded, total, next]).toEqual([agentId, 40, 40, 0, null]);
    const { history, total: changes } = await anonymous.trustHistory(agentId, { limit: 1 });
    expect([changes, history.map(({ trust_score }) => trust_score)]).toEqual([1, [40]]);
    const as_of = history[0]?.position ?? '';
    expect(await anonymous.verify({ agent_id: agentId }, { as_of })).toMatchObject({ trust_score: 40 });
    expect(await anonymous.getAgent(agentId, { as_of })).toMatchObject({ agent_id: agentId });
    expect((await anonymous.trust(agentId, { as_of })).trust.as_of.position).toBe(as_of);
    for await (const review of anonymous.eachReview(agentId)) expect(review).toBeUndefined();
    expect(await refusalOf(anonymous.verify({ agent_id: agentId }, { as_of: then }))).toEqual([404, 'agent_not_found']);
    expect(await refusalOf(anonymous.getAgent(agentId, { as_of: 'soon' }))).toEqual([422, 'validation_failed']);
    expect(await refusalOf(anonymous.trust(agentId, { as_of: '9'.repeat(18) }))).toEqual([422, 'validation_failed']);
    expect(await refusalOf(anonymous.trustHistory(unknown()))).toEqual([404, 'agent_not_found']);
  });

  it('finds organisations by name, which have no record under trust policy v1', async () => {
    const { org_id, org_name } = await anonymous.findOrganisation(keys.org_name.toUpperCase());
    expect(org_name).toBe(keys.org_name);
    expect(await refusalOf(anonymous.findOrganisation(unknown()))).toEqual([404, 'organisation_not_found']);
    expect(await refusalOf(anonymous.organisationRecord(org_id))).toEqual([404, 'no_organisation_records']);
    expect(await refusalOf(anonymous.organisationRecordHistory(org_id))).toEqual([404, 'no_organisation_records']);
  });

  it('matches and lists, and follows all pages', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4, 5])
      ids.push((await join(sandbox, { endpoint_url: agent.url, specialty: `number ${n}` })).agentId);
    const first = await sandbox.listRegistry({ limit: 2 });
    expect([first.agents.length, first.total, first.next]).toEqual([2, 5, { limit: 2, offset: 2 }]);
    const all: string[] = [];
    for await (const { agent_id } of sandbox.eachAgent({ limit: 2 })) all.push(agent_id);
    expect(all.sort()).toEqual(ids.sort());
    const owned: string[] = [];
    for await (const { agent_id } of sandbox.org.eachAgent({ limit: 2 })) owned.push(agent_id);
    expect(owned.sort()).toEqual(ids.sort());
    const [oneId = ''] = ids;
    const named = await sandbox.listRegistry({ agent_id_prefix: oneId.toUpperCase() });
    expect([named.agents.map(({ agent_id }) => agent_id), named.total, named.next]).toEqual([[oneId], 1, null]);
    expect((await anonymous.listRegistry({ agent_id_prefix: oneId })).total).toBe(0);
    expect(await sandbox.match({ org_name: keys.org_name })).toHaveLength(5);
    expect(await refusalOf(anonymous.match({}))).toEqual([422, 'validation_failed']);
    expect(await refusalOf(anonymous.listRegistry({ limit: 0 }))).toEqual([422, 'validation_failed']);
    expect(await refusalOf(anonymous.listRegistry({ agent_id_prefix: '' }))).toEqual([422, 'validation_failed']);
  });

  it('lists what agents can be asked for, to the last page, and what happened lately', async () => {
    const first = await anonymous.capabilities({ category: 'commerce', limit: 2 });
    expect(first.capabilities).toHaveLength(2);
    expect(first.next).toEqual({ category: 'commerce', limit: 2, offset: 2 });
    expect(first.categories.find(({ category }) => category === 'commerce')?.capability_count).toBe(first.total);
    const all: string[] = [];
    for await (const { name } of anonymous.eachCapability({ category: 'commerce', limit: 10 })) all.push(name);
    expect(new Set(all).size).toBe(first.total);
    expect(await refusalOf(anonymous.capabilities({ text: 'ab' }))).toEqual([422, 'validation_failed']);
    expect((await anonymous.activity({ days: 2 })).days).toHaveLength(2);
    expect(await refusalOf(anonymous.activity({ days: 31 }))).toEqual([422, 'validation_failed']);
  });

  it('previews a registration from an agent card', async () => {
    const preview = await anonymous.importAgent({ domain_url: gateways[0] });
    expect(preview.missing_fields).toContain('agent_id');
    expect((await refusalOf(anonymous.importAgent({ domain_url: 'no domain at all' })))[0]).toBe(422);
  });
});

describe('agents', () => {
  it('register once, and are asked about capabilities similar to known ones', async () => {
    const body = { agent_id: unique('agent'), ...contact, capabilities: ['languag translaton'] };
    const question = await anonymous.register(body);
    if (!isConfirmationRequired(question)) throw new Error('the registry asked no question');
    const { candidate_matches } = question;
    const capability_confirmations = Object.fromEntries(Object.keys(candidate_matches).map((name) => [name, true]));
    const registered = await anonymous.register({ ...body, capability_confirmations, candidate_matches });
    expect(registered).toMatchObject({ status: 'registered' });
    expect(await refusalOf(anonymous.register(body))).toEqual([409, 'agent_id_taken']);
  });

  it('are registered once under one idempotency key, however often the request is repeated', async () => {
    const body = { agent_id: unique('agent'), ...contact };
    const idempotencyKey = unique('key');
    const first = await anonymous.register(body, { idempotencyKey });
    expect(await anonymous.register(body, { idempotencyKey })).toEqual(first);
    expect(await refusalOf(anonymous.register({ ...body, specialty: 'x' }, { idempotencyKey }))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('get their keys by claim and by signature', async () => {
    const { agentId, client } = await join(org);
    const requested = await org.requestRotation({ agent_id: agentId });
    expect(requested.status).toBe('claim_issued');
    expect((await anonymous.redeemClaim(requested.claim_link ?? '')).status).toBe('rotated');
    expect(await refusalOf(anonymous.redeemClaim(requested.claim_link ?? ''))).toEqual([400, 'invalid_claim_token']);
    expect(await refusalOf(client.update({ agent_id: agentId, specialty: 'x' }))).toEqual([401, 'invalid_credential']);
    expect(await refusalOf(anonymous.requestRotation({ agent_id: unknown() }))).toEqual([404, 'agent_not_found']);

    const { publicKey, privateKey } = await generateKeyPair();
    const signerId = unique('signer-é"%');
    await org.register({ agent_id: signerId, public_key: publicKey });
    const signing = watchedClient({ signer: { agentId: signerId, privateKey, strict: true } });
    const rotated = await signing.requestRotation({ agent_id: signerId });
    expect(rotated.status).toBe('rotated');
    expect(await signing.update({ agent_id: signerId, specialty: 'signs' })).toMatchObject({ specialty: 'signs' });
    const other = watchedClient({ signer: { agentId, privateKey } });
    expect((await refusalOf(other.requestRotation({ agent_id: agentId })))[0]).toBe(401);
  });

  it('are updated by permitted callers, and adopted only on explicit request', async () => {
    const { agentId, client } = await join(anonymous, contact);
    const both = watchedClient({ orgKey: keys.api_key }).with({ agentKey: undefined });
    expect(await refusalOf(both.update({ agent_id: agentId, specialty: 'theirs' }))).toEqual([403, 'not_owner']);
    expect(await client.update({ agent_id: agentId, specialty: 'mine' })).toMatchObject({ org_name: null });
    expect(await refusalOf(anonymous.update({ agent_id: agentId, specialty: 'x' }))).toEqual([
      401,
      'credential_required',
    ]);
  });

  it('are retired by their owners', async () => {
    const { agentId, client } = await join(anonymous, contact);
    expect(await refusalOf(anonymous.retire(agentId))).toEqual([401, 'credential_required']);
    expect(await client.retire(agentId)).toMatchObject({ agent_id: agentId, status: 'retired' });
    expect(await anonymous.verify({ agent_id: agentId })).toMatchObject({ flags: ['retired'] });
  });
});

describe('exchanges', () => {
  it('are calls and reviews, also signed, and each is made once under one idempotency key', async () => {
    const target = await join(org, { endpoint_url: agent.url });
    const { publicKey, privateKey } = await generateKeyPair();
    const callerId = unique('caller');
    const caller = await org.register({ agent_id: callerId, public_key: publicKey });
    expect(caller.agent_id).toBe(callerId);
    const signing = watchedClient({ signer: { agentId: callerId, privateKey } });
    const body = { caller_agent_id: callerId, agent_id: target.agentId, message: textMessage('hello') };

    const before = agent.received.length;
    const idempotencyKey = unique('call');
    const first = await signing.call(body, { idempotencyKey });
    expect(first).toMatchObject({ status_code: 200, body: { ok: true } });
    expect(await signing.call(body, { idempotencyKey })).toEqual(first);
    expect(agent.received.length - before).toBe(1);
    expect(await refusalOf(target.client.call(body))).toEqual([403, 'caller_mismatch']);
    expect(await refusalOf(signing.call({ ...body, agent_id: unknown() }))).toEqual([404, 'agent_not_found']);

    const outsider = await join(anonymous, { ...contact, endpoint_url: agent.url });
    const called = await signing.call({ ...body, agent_id: outsider.agentId });
    const review = { caller_agent_id: callerId, receiver_agent_id: outsider.agentId, success: true, score: 9 };
    const reviewed = await signing.review({ ...review, transaction_id: called.transaction_id });
    expect(reviewed.trust_score).toBeGreaterThan(40);
    expect(await refusalOf(signing.review({ ...review, transaction_id: called.transaction_id }))).toEqual([
      409,
      'already_reviewed',
    ]);
    const said = { agent_id: outsider.agentId, transaction_id: called.transaction_id, text: 'Glad to help.' };
    expect(await outsider.client.answerReview(said)).toMatchObject({ status: 'answered' });
    const [rating] = (await anonymous.getAgent(outsider.agentId)).ratings_received;
    expect(rating?.answer?.text).toBe('Glad to help.');
    expect(await refusalOf(outsider.client.answerReview(said))).toEqual([409, 'already_answered']);
  });

  it('keep the session of an mcp target, which is opened without a key', async () => {
    const mcp = await startRecordingAgent(
      respondJson(200, { jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-session-id': 's-1' }),
    );
    onTestFinished(() => mcp.stop());
    const { agentId } = await join(org, { endpoint_url: mcp.url, message_protocol: 'mcp' });
    const { agentId: caller_agent_id, client } = await join(org);
    const send = (method: string, options: CallOptions = {}): Promise<CallResponse> =>
      client.call({ caller_agent_id, agent_id: agentId, message: { jsonrpc: '2.0', id: 1, method } }, options);
    const { mcp_session_id: mcpSessionId } = await send('initialize');
    expect(mcpSessionId).toBe('s-1');
    expect((await send('tools/list', { mcpSessionId: mcpSessionId ?? '' })).transaction_id).toMatch(/./u);
    expect(mcp.last().headers['mcp-session-id']).toBe('s-1');
  });

  it('are relayed payments, paid or unpaid', async () => {
    const { agentId } = await join(org, { endpoint_url: agent.url });
    const { client } = await join(org);
    const got = await client.pay(agentId, { query: { city: 'Lyon' } });
    expect([got.status, got.attribution, await got.response.json()]).toEqual([200, 'bearer', { ok: true }]);
    expect(agent.last().url.search).toBe('?city=Lyon');
    const posted = await anonymous.pay(agentId, { body: { a: 1 }, headers: { 'x-mine': '1' } });
    expect([posted.status, posted.attribution]).toEqual([200, 'none']);
    expect([agent.last().method, agent.last().body, agent.last().headers['x-mine']]).toEqual(['POST', '{"a":1}', '1']);
    expect(await refusalOf(anonymous.pay(unknown()))).toEqual([404, 'agent_not_found']);
    expect(await refusalOf(anonymous.pay(unknown(), { method: 'POST' }))).toEqual([404, 'agent_not_found']);
  });
});

describe('a credential', () => {
  it('says whose it is', async () => {
    const { agentId, client } = await join(sandbox);
    expect(await client.whoami()).toMatchObject({ agent_id: agentId, is_sandbox: true });
    expect(await operator().ops.whoami()).toMatchObject({ role: 'admin', credential: 'admin_token' });
    expect(await refusalOf(anonymous.whoami())).toEqual([401, 'credential_required']);
    expect(await refusalOf(anonymous.ops.whoami())).toEqual([401, 'credential_required']);
  });
});

describe('an organisation', () => {
  it('sees its own data', async () => {
    const { agentId } = await join(org, { endpoint_url: agent.url });
    expect(await org.org.whoami()).toEqual({ org_name: keys.org_name, is_sandbox: false });
    expect((await org.org.agent(agentId)).routing).toMatchObject({ endpoint_url: agent.url });
    expect((await org.org.agents({ limit: 1 })).agents).toHaveLength(1);
    expect((await org.org.payments()).payments).toEqual([]);
    for await (const payment of org.org.eachPayment({ limit: 1 })) expect.fail(JSON.stringify(payment));
    expect(await refusalOf(org.org.agent(unknown()))).toEqual([404, 'agent_not_found']);
    for (const list of ['whoami', 'agents', 'payments'] as const)
      expect(await refusalOf(anonymous.org[list]())).toEqual([401, 'credential_required']);
  });

  it('proves domains, or has the operator vouch for them', async () => {
    const [domain, known] = [freshDomain(), freshDomain()];
    const { token } = await org.org.requestDomain(domain);
    expect(await refusalOf(org.org.verifyDomain(domain))).toEqual([409, 'domain_proof_not_found']);
    await publishProof('records', domain, token);
    expect(await org.org.verifyDomain(domain)).toMatchObject({ domain, status: 'proved', method: 'dns' });
    const voucher = { org_name: keys.org_name, reason: 'a contract' };
    expect(await operator().ops.vouchForDomain(known, voucher)).toMatchObject({ domain: known, method: 'operator' });
    const listed: string[] = [];
    for await (const one of org.org.eachDomain({ limit: 1 })) listed.push(one.domain);
    expect(listed).toEqual([domain, known].toSorted());
    expect((await org.org.domains({ limit: 1 })).domains).toHaveLength(1);
    expect(await operator().ops.withdrawDomainProof(known, 'an error')).toMatchObject({ domain: known });
    expect(await refusalOf(operator().ops.withdrawDomainProof(known, 'again'))).toEqual([404, 'domain_not_proved']);
    expect((await refusalOf(org.ops.vouchForDomain(known, voucher)))[0]).toBe(401);
    expect(await refusalOf(anonymous.org.requestDomain(domain))).toEqual([401, 'credential_required']);
    expect(await refusalOf(anonymous.org.domains())).toEqual([401, 'credential_required']);
  });

  it('has its names judged by the operator', async () => {
    const alias = unique('alias').replaceAll('-', '_').slice(0, 50);
    const confirmed = await operator().ops.confirmCapabilityAlias(alias, { name: 'ocr', reason: 'usual' });
    expect(confirmed).toEqual({ alias, name: 'ocr' });
    expect(await operator().ops.undoCapabilityAlias(alias, 'misleading')).toEqual({ alias, name: null });
    expect((await refusalOf(org.ops.confirmCapabilityAlias(alias, { name: 'ocr', reason: 'r' })))[0]).toBe(401);
    expect((await refusalOf(org.ops.undoCapabilityAlias(alias, 'r')))[0]).toBe(401);
  });

  it('is created, and changes its keys', async () => {
    const own = await operator().org.createKey({ org_name: unique('org'), contact_email: 'ops@org.example' });
    const again = { org_name: own.org_name, contact_email: 'ops@org.example' };
    expect(await refusalOf(operator().org.createKey(again))).toEqual([409, 'org_name_taken']);
    expect(await refusalOf(anonymous.org.createKey(again))).toEqual([401, 'invalid_admin_key']);
    const client = watchedClient({ orgKey: own.api_key });
    expect(await refusalOf(client.org.issueSandboxKey())).toEqual([409, 'sandbox_key_exists']);
    expect((await client.org.revokeSandboxKey()).org_name).toBe(own.org_name);
    expect(await refusalOf(client.org.revokeSandboxKey())).toEqual([404, 'sandbox_key_absent']);
    const { sandbox_api_key } = await client.org.issueSandboxKey();
    expect((await client.with({ orgKey: sandbox_api_key }).org.whoami()).is_sandbox).toBe(true);
    const { api_key } = await client.org.rotateKey();
    expect(await refusalOf(client.org.rotateKey())).toEqual([401, 'invalid_api_key']);
    expect((await client.with({ orgKey: api_key }).org.whoami()).is_sandbox).toBe(false);
  });

  it('has named keys that may do less', async () => {
    const { createNamedKey, namedKeys, replaceNamedKey, revokeNamedKey } = org.org;
    const name = unique('named');
    const made = await createNamedKey({ name, scopes: ['payments'] });
    expect(made).toMatchObject({ name, scopes: ['payments'], is_sandbox: false });
    const named = watchedClient({ orgKey: made.api_key });
    expect(await named.org.payments()).toMatchObject({ payments: [] });
    expect(await refusalOf(named.org.domains())).toEqual([403, 'org_key_scope_missing']);
    expect(await refusalOf(named.org.namedKeys())).toEqual([403, 'org_key_scope_missing']);
    expect(await refusalOf(createNamedKey({ name, scopes: ['read'] }))).toEqual([409, 'org_key_name_taken']);
    const replaced = await replaceNamedKey(name, { overlap_seconds: 0 });
    expect(await refusalOf(named.org.whoami())).toEqual([401, 'invalid_api_key']);
    const again = watchedClient({ orgKey: replaced.api_key });
    expect((await again.org.whoami()).named_key).toMatchObject({ key_id: made.key_id, scopes: ['payments'] });
    expect((await replaceNamedKey(made.key_id)).key_id).toBe(made.key_id);
    expect((await namedKeys()).find(({ key_id: id }) => id === made.key_id)).toMatchObject({ name, status: 'active' });
    expect(await revokeNamedKey(made.key_id)).toMatchObject({ key_id: made.key_id, status: 'revoked' });
    expect(await refusalOf(again.org.whoami())).toEqual([401, 'invalid_api_key']);
    expect(await refusalOf(revokeNamedKey(unknown()))).toEqual([404, 'org_key_not_found']);
    expect(await refusalOf(replaceNamedKey(unknown()))).toEqual([404, 'org_key_not_found']);
  });

  it('has webhooks that no other organisation can use', async () => {
    const { webhooks } = org.org;
    const { agentId } = await join(org);
    const body = { url: 'https://127.0.0.1:44443/', agent_ids: [agentId] };
    const registered = await webhooks.register(body);
    expect(registered).toMatchObject({ ...body, secret: expect.stringMatching(/^whsec_/u) as string });
    const id = registered.webhook_id;
    expect((await webhooks.list()).map(({ webhook_id }) => webhook_id)).toEqual([id]);
    expect(await webhooks.get(id)).toMatchObject({ ...body, status: 'active' });
    expect(await webhooks.signingSecret(id)).toEqual({
      webhook_id: id,
      secret: registered.secret,
      previous_secret: null,
    });
    expect(await webhooks.replay(id, '0')).toMatchObject({ webhook_id: id, from_position: '0' });
    expect(await webhooks.deliveries(id, { status: 'dead' })).toEqual({ deliveries: [], total: 0, next: null });
    for await (const { agent_id } of webhooks.eachDelivery(id)) expect(agent_id).toBe(agentId);
    expect(await refusalOf(sandbox.org.webhooks.register(body))).toEqual([401, 'invalid_api_key']);
    expect(await refusalOf(sandbox.org.webhooks.list())).toEqual([401, 'invalid_api_key']);
    expect(await refusalOf(webhooks.register({ url: 'https://10.0.0.1/' }))).toEqual([422, 'webhook_url_not_allowed']);
    const { ops } = operator();
    expect((await ops.webhooks({ limit: 500 })).webhooks.map(({ webhook_id }) => webhook_id)).toContain(id);
    expect(await ops.webhookDeliveries(id, { status: 'dead' })).toEqual({ deliveries: [], total: 0, next: null });
    expect(await ops.replayWebhook(id, '0')).toMatchObject({ webhook_id: id, from_position: '0' });
    expect(await refusalOf(watchedClient({ adminToken: 'nobody' }).ops.webhooks())).toEqual([
      401,
      'invalid_credential',
    ]);
    const nobodys = crypto.randomUUID();
    expect(await refusalOf(ops.webhookDeliveries(nobodys))).toEqual([404, 'webhook_not_found']);
    expect(await refusalOf(ops.replayWebhook(nobodys, '0'))).toEqual([404, 'webhook_not_found']);
    expect(await webhooks.delete(id)).toMatchObject({ webhook_id: id });
    const gone = await Promise.all(
      [
        webhooks.get(id),
        webhooks.signingSecret(id),
        webhooks.delete(id),
        webhooks.replay(id, '0'),
        webhooks.deliveries(id),
      ].map(refusalOf),
    );
    expect(gone).toEqual(gone.map(() => [404, 'webhook_not_found']));
  });

  it('moves agents, promotes clones and previews drafts', async () => {
    const { agentId } = await join(sandbox, { endpoint_url: agent.url });
    const body = { agent_id: agentId };
    expect((await sandbox.sandbox.previewMatch({ sandbox_agent_id: agentId })).draft_agent_id).toBe(agentId);
    expect(await sandbox.sandbox.publish(body)).toMatchObject({ moved_to: 'production', discoverable: true });
    expect(await refusalOf(sandbox.sandbox.publish(body))).toEqual([409, 'already_in_universe']);
    expect(await sandbox.sandbox.withdraw(body)).toMatchObject({ moved_to: 'sandbox' });
    expect(await refusalOf(org.sandbox.withdraw(body))).toEqual([403, 'sandbox_key_required']);
    const live = await join(org, { specialty: 'old' });
    const clone = await join(sandbox, { clone_from_agent_id: live.agentId, specialty: 'new' });
    const promoted = await sandbox.sandbox.promote({ sandbox_agent_id: clone.agentId });
    expect(promoted).toMatchObject({ real_agent_id: live.agentId });
    expect((await anonymous.verify({ agent_id: live.agentId })).specialty).toBe('new');
    expect(await refusalOf(sandbox.sandbox.promote({ sandbox_agent_id: agentId }))).toEqual([
      403,
      'not_a_confirmed_pair',
    ]);
    expect(await refusalOf(sandbox.sandbox.previewMatch({ sandbox_agent_id: unknown() }))).toEqual([
      404,
      'agent_not_found',
    ]);
  });

  it('is visible to operators', async () => {
    const page = await operator().ops.settlements({ limit: 1 });
    expect(page.settlements.length).toBeLessThanOrEqual(1);
    expect((await refusalOf(org.ops.settlements()))[0]).toBe(401);
  });

  it('has events, for owners and for operators', async () => {
    const { agentId } = await join(org);
    const types: string[] = [];
    for await (const { type } of org.org.eachAgentEvent(agentId, { limit: 1 })) types.push(type);
    expect(types).toEqual(['AgentRegistered', 'ClaimIssued', 'KeyRotated']);
    const page = await operator().ops.events({ agent_id: agentId, order: 'desc', limit: 2 });
    expect(page.events.map(({ type }) => type)).toEqual(['KeyRotated', 'ClaimIssued']);
    expect(page.next).toMatchObject({ before: page.events.at(-1)?.position });
    expect(await refusalOf(org.org.agentEvents(unknown()))).toEqual([404, 'agent_not_found']);
    expect((await refusalOf(org.ops.events()))[0]).toBe(401);
  });

  it("forgets a contact on an operator's request", async () => {
    const { agentId } = await join(anonymous, contact);
    const erased = await operator().ops.erasePersonalData(agentId);
    expect(erased).toMatchObject({ agent_id: agentId, status: 'erased' });
    expect(await operator().ops.erasePersonalData(agentId)).toEqual(erased);
    expect(await refusalOf(operator().ops.erasePersonalData(unknown()))).toEqual([404, 'agent_not_found']);
  });

  it('has operators who sign in by a code that works once', async () => {
    const { code } = await operator().ops.createSignInCode({ role: 'viewer' });
    const { key, role } = await anonymous.ops.signIn(code);
    expect(role).toBe('viewer');
    const viewer = watchedClient({ adminToken: key });
    expect((await viewer.ops.events({ limit: 1 })).events).toHaveLength(1);
    expect(await refusalOf(viewer.ops.createSignInCode())).toEqual([403, 'operator_role_too_low']);
    expect(await refusalOf(anonymous.ops.signIn(code))).toEqual([400, 'invalid_sign_in_code']);
  });

  it('is disabled and enabled by its operator, who replaces its keys', async () => {
    const created = await operator().org.createKey({ org_name: unique('org'), contact_email: 'ops@org.example' });
    const own = watchedClient({ orgKey: created.api_key });
    const { disableOrganisation, enableOrganisation, reissueOrganisationKeys } = operator().ops;
    const disabled = await disableOrganisation(created.org_name, 'a test');
    expect(disabled).toMatchObject({ org_name: created.org_name, status: 'disabled', reason: 'a test' });
    expect(await refusalOf(own.org.whoami())).toEqual([403, 'organisation_disabled']);
    expect(await enableOrganisation(disabled.org_id, 'a test')).toMatchObject({ status: 'enabled' });
    const { api_key } = await reissueOrganisationKeys(disabled.org_id, 'a test');
    expect(await refusalOf(own.org.whoami())).toEqual([401, 'invalid_api_key']);
    expect(await watchedClient({ orgKey: api_key }).org.whoami()).toMatchObject({ org_name: created.org_name });
    for (const operation of [disableOrganisation, enableOrganisation, reissueOrganisationKeys])
      expect(await refusalOf(operation(unknown(), 'a test'))).toEqual([404, 'organisation_not_found']);
  });

  it('has limits that its operator sets, and both see what was used', async () => {
    const created = await operator().org.createKey({ org_name: unique('org'), contact_email: 'ops@org.example' });
    const own = watchedClient({ orgKey: created.api_key });
    const { organisationLimits, organisationUsage, setOrganisationLimits } = operator().ops;
    const body = { registrations_per_day: 1, reason: 'a test' };
    const set = await setOrganisationLimits(created.org_name, body);
    expect(set).toMatchObject({ registrations_per_day: 1, calls_per_day: 0, reason: 'a test' });
    expect(await organisationLimits(set.org_id)).toEqual(set);
    await own.register({ agent_id: unknown() });
    expect(await refusalOf(own.register({ agent_id: unknown() }))).toEqual([429, 'quota_exceeded']);
    const { days } = await own.org.usage();
    expect(days[0]?.registrations).toMatchObject({ used: 1 });
    expect((await organisationUsage(created.org_name)).days[0]?.registrations).toMatchObject({ used: 1 });
    const wrong = watchedClient({ orgKey: `${created.api_key.slice(0, -1)}_` });
    expect(await refusalOf(wrong.org.usage())).toEqual([401, 'invalid_api_key']);
    expect(await own.org.paymentTotals()).toEqual([]);
    expect(await refusalOf(wrong.org.paymentTotals())).toEqual([401, 'invalid_api_key']);
    expect(await refusalOf(setOrganisationLimits(unknown(), body))).toEqual([404, 'organisation_not_found']);
    for (const operation of [organisationLimits, organisationUsage])
      expect(await refusalOf(operation(unknown()))).toEqual([404, 'organisation_not_found']);
  });

  it('shows its operator the last quarter of an hour', async () => {
    const { sum, step_seconds } = await operator().ops.rates();
    expect(sum.requests.length * step_seconds).toBe(900);
    expect(await refusalOf(watchedClient({ adminToken: 'nobody' }).ops.rates())).toEqual([401, 'invalid_credential']);
  });

  it('suspends and reinstates an agent by its operator', async () => {
    const { agentId } = await join(org);
    const { suspendAgent, reinstateAgent } = operator().ops;
    expect(await suspendAgent(agentId, 'a test')).toMatchObject({ status: 'suspended', reason: 'a test' });
    expect(await anonymous.verify({ agent_id: agentId })).toMatchObject({ flags: ['suspended'] });
    expect(await reinstateAgent(agentId, 'a test')).toEqual({ agent_id: agentId, status: 'reinstated' });
    for (const operation of [suspendAgent, reinstateAgent])
      expect(await refusalOf(operation(unknown(), 'a test'))).toEqual([404, 'agent_not_found']);
  });

  it("creates, lists and revokes operators' keys", async () => {
    const { createKey, keys, revokeKey } = operator().ops;
    const name = unknown();
    const made = await createKey({ name, role: 'viewer' });
    expect(made).toMatchObject({ name, role: 'viewer', key: expect.stringMatching(/^registry-operator-sk-/u) });
    expect((await keys()).find(({ key_id: id }) => id === made.key_id)).toMatchObject({ name, status: 'active' });
    expect(await refusalOf(createKey({ name, role: 'viewer' }))).toEqual([409, 'operator_key_name_taken']);
    expect(await refusalOf(anonymous.ops.keys())).toEqual([401, 'credential_required']);
    expect(await revokeKey(name, 'a test')).toMatchObject({ key_id: made.key_id, status: 'revoked' });
    expect(await refusalOf(revokeKey(unknown(), 'a test'))).toEqual([404, 'operator_key_not_found']);
  });

  it('voids reviews by its operator', async () => {
    const selection = { reason: 'a test', reviewer_agent_ids: [unknown()] };
    expect(await operator().ops.voidReviews({ ...selection, dry_run: true })).toEqual({
      dry_run: true,
      reviews: [],
      remaining: 0,
    });
    expect(await operator().ops.voidReviews({ ...selection, dry_run: false })).toMatchObject({
      dry_run: false,
      reviews: [],
    });
    const everything = operator().ops.voidReviews({ reason: 'a test', dry_run: true });
    expect(await refusalOf(everything)).toEqual([422, 'validation_failed']);
  });
});

describe('the verifiable log', () => {
  it('proves that an event is in it, that it has only grown, and a review', async () => {
    const buyer = await join(org, { org_domain: `${unique('d')}.example` });
    const rated = await join(anonymous, { ...contact, endpoint_url: agent.url });
    const { transaction_id } = await buyer.client.call({
      caller_agent_id: buyer.agentId,
      agent_id: rated.agentId,
      message: textMessage('hello'),
    });
    await buyer.client.review({
      caller_agent_id: buyer.agentId,
      receiver_agent_id: rated.agentId,
      transaction_id,
      success: true,
      score: 8,
    });
    const { log } = anonymous;
    const { verifier_key } = await log.key();
    const { origin, size } = await openCheckpoint(await log.checkpoint(), { logKey: verifier_key });
    const receipt = await log.receipt(rated.agentId, transaction_id);
    const verified = await verifyReceipt(receipt, { logKey: verifier_key });
    expect(verified).toMatchObject({ checkpoint: { origin } });
    expect(await refusalOf(log.receipt(rated.agentId, 'none'))).toEqual([404, 'review_not_found']);
    const { leaves, total, next } = await log.reviewLeaves(rated.agentId, { limit: 1 });
    expect([leaves[0]?.leaf_hash, total, next]).toEqual([receipt.leaf_hash, 1, null]);
    expect(await refusalOf(log.reviewLeaves(unknown()))).toEqual([404, 'agent_not_found']);
    const found = await log.inclusionProof({ event_id: receipt.entry.event_id });
    expect(found.leaf_index).toBe(receipt.leaf_index);
    expect(await refusalOf(log.inclusionProof({ index: 5, size: 5 }))).toEqual([404, 'not_in_log']);
    expect(await log.consistencyProof({ from: 1, to: size })).toMatchObject({ from: 1, to: size });
    expect(await refusalOf(log.consistencyProof({ from: 2, to: 1 }))).toEqual([422, 'validation_failed']);
    expect((await log.tile({ level: 0, index: 0, width: 3 })).length).toBe(96);
    for (const tile of [
      { level: 9, index: 0, width: 256 },
      { level: 9, index: 0, width: 1 },
      { level: 9, index: 1_000_000, width: 256 },
      { level: 9, index: 1_000_000, width: 1 },
    ])
      expect(await refusalOf(log.tile(tile))).toEqual([404, 'not_in_log']);
    const { signed_verdict } = await anonymous.verifySigned({ agent_id: rated.agentId });
    const verdict = await verifySignedVerdict(signed_verdict, { logKey: verifier_key }, { agentId: rated.agentId });
    expect(verdict).toMatchObject({ agent_id: rated.agentId, log: { origin } });
  });
});

/** Tiles of a log that is larger than the log of these tests. */
const notYetThere = new Set(['getLogTile', 'getLogTileOf3Parts', 'getLogTileOf4Parts']);

/** Routes for people, and for clients of MCP and of A2A. */
const notForThisClient = new Set([
  'readConsole',
  'readConsoleFile',
  'readConsolePage',
  'readConsolePage2',
  'readConsolePage3',
  'readDocs',
  'readHome',
  // cli-operations.test.ts and cli-listen.test.ts call these by this client.
  'openWebhookListener',
  'listenToWebhookMessages',
  'getOperationsStatus',
  'startReplay',
  'listReplays',
  'getReplay',
  'cancelReplay',
  // No `npm start` runs the shared system: own-system/demo-on-request.ts has one.
  'playDemo',
  'getDemo',
  // own-system/trust-policies.ts calls these by this client: trust policy v1 keeps no records.
  'explainRecord',
  'getRecordHistory',
  // policy-lab.test.ts and own-system/trust-policies.ts call these by this client.
  'listPolicies',
  'startPolicyTrial',
  'listPolicyTrials',
  'getPolicyTrial',
  'cancelPolicyTrial',
  'listPolicyTrialAgents',
  'getPolicyTrialAgent',
  'startPolicySimulation',
  'listPolicySimulations',
  'getPolicySimulation',
  'cancelPolicySimulation',
  'getSimulatedCourse',
  'activatePolicy',
  'readDocsFile',
  'postMcpMessage',
  'listenToMcp',
  'endMcpSession',
  'openLegacyMcp',
  'postLegacyMcpMessage',
  'getOlderAgentCard',
  'askForDirections',
]);
/** Operations that no client input makes the registry refuse. */
const neverRefused = new Set(['health', 'describeInterface', 'getAgentCard', 'getLogCheckpoint', 'getLogKey']);

it('every operation of the OpenAPI document was called, and refused if it can be', async () => {
  const { paths } = await describedOperations();
  const described = Object.values(paths)
    .flatMap((operations) => Object.entries(operations))
    .filter(([method]) => method !== 'head')
    .map(([, { operationId }]) => operationId)
    .filter((operationId) => !notForThisClient.has(operationId));
  const met = (isMet: (status: number) => boolean): Set<string> =>
    new Set(reached.filter(({ status }) => isMet(status)).map(({ operationId }) => operationId));
  const allowed = met((status) => status < 400);
  const refused = met((status) => status >= 400);
  expect(described.filter((operationId) => !allowed.has(operationId) && !notYetThere.has(operationId))).toEqual([]);
  expect(described.filter((operationId) => !refused.has(operationId) && !neverRefused.has(operationId))).toEqual([]);
});
