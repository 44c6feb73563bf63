/**
 * Bugs: a token of the company's issuer gives more than its groups say, or works where it was not made for the registry; an event names an operator
 * whom a token of another issuer could also name; a token reaches an agent. Method: an issuer over HTTP, of which the gateways read the keys.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, ask, createOrg, gateways, get, join, post, stack } from '../support/ask.ts';
import { signedIn, tokenOf } from '../support/issuer.ts';
import { groupsOf } from '../support/oidc-names.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { bearer, unique } from '../support/registry.ts';

const opsEvents = (headers: Record<string, string>, query = '?limit=1', gateway?: string): Promise<Answer> =>
  ask('GET', `/ops/events${query}`, { headers, owner: true, ...(gateway === undefined ? {} : { gateway }) });

describe('a token of the issuer', () => {
  it('gives the role of its groups, at every gateway', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const suspend = (headers: Record<string, string>) =>
      post(`/ops/agents/${agentId}/suspend`, { reason: 'a test' }, headers);
    const viewer = await signedIn(unique('viewer'), 'viewer');
    for (const gateway of gateways) expect((await opsEvents(viewer, '?limit=1', gateway)).status).toBe(200);
    const refused = await suspend(viewer);
    expect([refused.status, refused.body['code']]).toEqual([403, 'operator_role_too_low']);
    expect((await suspend(await signedIn(unique('operator'), 'operator'))).status).toBe(200);
    const admin = await signedIn(unique('admin'), 'admin');
    const made = await post('/org/create-key', { org_name: unique('org'), contact_email: 'a@b.example' }, admin);
    expect(made.status).toBe(201);
    const nobody = await opsEvents(await signedIn(unique('nobody'), null));
    expect([nobody.status, nobody.body['code']]).toEqual([403, 'operator_role_too_low']);
    expect(nobody.body['detail']).toContain('has no role');
  });

  it('names the operator and the issuer in the audit trail, and in nothing that owners see', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const name = `${unique('alice')}@example.org`;
    const auth = await signedIn(name, 'operator');
    expect((await post(`/ops/agents/${agentId}/suspend`, { reason: 'a test' }, auth)).status).toBe(200);
    const { list } = await opsEvents(auth, `?operator=${encodeURIComponent(name)}`);
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      type: 'AgentSuspended',
      metadata: { actor: { kind: 'operator', id: name, issuer: stack.oidcUrl, credentials: ['oidc_token'] } },
      operator: { id: name, issuer: stack.oidcUrl, break_glass: false },
    });
    const owner = await ask('GET', `/org/agents/${agentId}/events`, { headers: org.key, owner: true });
    expect(owner.list.at(-1)?.['actor']).toEqual({ kind: 'operator', id: null, credentials: null });
    for (const text of [name, stack.oidcUrl]) expect(owner.text).not.toContain(text);
  });

  it('creates a key under its name, and is told who it is', async () => {
    const name = unique('admin');
    const auth = await signedIn(name, 'admin');
    expect((await get('/ops/whoami', auth)).body).toMatchObject({
      name,
      issuer: stack.oidcUrl,
      role: 'admin',
      credential: 'oidc_token',
    });
    const made = await post('/ops/keys', { name: unique('machine'), role: 'viewer' }, auth);
    expect(made.status).toBe(201);
    const listed = (await get('/ops/keys', auth)).list.find((one) => one['key_id'] === made.body['key_id']);
    expect(listed?.['created_by']).toEqual({ id: name, issuer: stack.oidcUrl });
  });
});

describe('a token is refused', () => {
  const admin = { groups: [groupsOf.admin], preferred_username: 'mallory' };
  const now = Math.floor(Date.now() / 1_000);

  it.each([
    ['for somebody else', { aud: 'others' }],
    ['of another issuer', { iss: 'https://login.example' }],
    ['that has expired', { iat: now - 600, exp: now - 300 }],
    ['without an end', { exp: null }],
    ['that names nobody', { preferred_username: null }],
  ])('%s', async (_, claims) => {
    const { status, body } = await opsEvents(bearer(await tokenOf({ claims: { ...admin, ...claims } })));
    expect([status, body['code']]).toEqual([401, 'invalid_credential']);
  });

  it('without a signature', async () => {
    const [, payload] = (await tokenOf({ claims: admin })).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const { status, body } = await opsEvents(bearer(`${header}.${payload}.`));
    expect([status, body['code']]).toEqual([401, 'invalid_credential']);
  });

  it('by routes for agents and organisations', async () => {
    const auth = await signedIn('mallory', 'admin');
    const token = String(auth['authorization']).slice('Bearer '.length);
    expect((await get('/org/whoami', auth)).status).toBe(401);
    expect((await get('/org/whoami', { 'x-api-key': token })).status).toBe(401);
    const body = { caller_agent_id: 'a', agent_id: 'b', message: {} };
    expect((await post('/call', body, auth)).body['code']).toBe('invalid_credential');
  });

  it('by the relay of payments, instead of being handed to the agent', async () => {
    const endpoint = await startRecordingAgent();
    const { agentId } = await join({}, { endpoint_url: endpoint.url });
    const { status, body } = await get(`/pay/${agentId}`, await signedIn('mallory', 'admin'));
    expect([status, body['code']]).toEqual([401, 'invalid_credential']);
    expect(endpoint.received).toEqual([]);
    await endpoint.stop();
  });
});
