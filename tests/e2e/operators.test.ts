/**
 * Bugs: a role may do more than it was given, on a route that nobody thought of; a revoked key works on at another gateway; an event does
 * not say which operator caused it, or says it to those whom it does not concern. Method: every route that operators may call, as the contracts declare it,
 * with a key of each role.
 */
import { randomUUID } from 'node:crypto';
import { describedRoutes, includesRole, operatorRole, type OperatorRole, type Route } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminKey,
  adminToken,
  ask,
  type Body,
  createOrg,
  freshClient,
  gateways,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
} from '../support/ask.ts';
import { createOperatorKey, revokeOperatorKey, type TestOperator } from '../support/operators.ts';
import { unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

const roles = operatorRole.options;
const ofOperators = describedRoutes.filter(({ operatorRole: role }) => role !== undefined);
const by = {} as Record<OperatorRole, TestOperator>;
let org: Org;
let agent: Member;

beforeAll(async () => {
  for (const role of roles) by[role] = await createOperatorKey(role);
  org = await createOrg();
  agent = await join(org.key);
});

/** Bodies that touch nothing else, where the examples of a route would. */
const bodies: Record<string, () => Body> = {
  registerAgent: () => ({ agent_id: unique('by-operator'), contact_email: 'owner@agent.example' }),
  createOrganisation: () => ({ org_name: unique('by-operator'), contact_email: 'ops@org.example' }),
  createOperatorKey: () => ({ name: unique('made'), role: 'viewer' }),
  updateAgent: () => ({ agent_id: unique('nobody'), specialty: 'x' }),
  requestRotation: () => ({ agent_id: unique('nobody') }),
  retireAgent: () => ({ agent_id: unique('nobody') }),
};

/** Parts of paths that not every text can be. */
const segments: Record<string, () => string> = {
  replay_id: () => randomUUID(),
  trial_id: () => randomUUID(),
  simulation_id: () => randomUUID(),
  attack: () => 'ring',
  webhook_id: () => randomUUID(),
  domain: () => 'nobody.example',
};

const send = ({ method, path, operationId, bodyExamples = {} }: Route, auth: HeaderMap) => {
  const [example] = Object.values(bodyExamples);
  const body = bodies[operationId]?.() ?? example?.value;
  const at = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => segments[name]?.() ?? unique('nobody'));
  const sendOnce = () =>
    // From an address of its own, because each address may ask for few claim links a minute.
    ask(method, at, {
      headers: { ...freshClient(), ...auth },
      owner: true,
      ...(method === 'GET' ? {} : { body }),
    });
  return served(sendOnce, method === 'GET');
};

describe('a role', () => {
  it('is needed by every route of operators', () => {
    expect(ofOperators.length).toBeGreaterThan(20);
    expect(ofOperators.filter(({ credentials }) => !credentials.includes('operator'))).toEqual([]);
  });

  const cases = ofOperators.flatMap((route) =>
    roles.map((role) => ({
      name: `${route.method} ${route.path}`,
      route,
      role,
      isEnough: includesRole(role, route.operatorRole as OperatorRole),
    })),
  );

  it.each(cases.filter(({ isEnough }) => isEnough))('$role is enough for $name', async ({ route, role }) => {
    const { status, body } = await send(route, by[role].auth);
    expect([401, 403]).not.toContain(status);
    expect([status < 500, body]).toEqual([true, body]);
  });

  it.each(cases.filter(({ isEnough }) => !isEnough))('$role is too little for $name', async ({ route, role }) => {
    const { status, body } = await send(route, by[role].auth);
    expect([status, body['code']]).toEqual([403, 'operator_role_too_low']);
    expect(body['detail']).toContain(`needs the role ${route.operatorRole}`);
  });

  it('gives nothing on routes for others', async () => {
    const { auth } = by.admin;
    expect((await get('/org/whoami', auth)).status).toBe(401);
    const asAgent = await post('/call', { caller_agent_id: agent.agentId, agent_id: agent.agentId, message: {} }, auth);
    expect([asAgent.status, asAgent.body['code']]).toEqual([401, 'invalid_credential']);
    expect((await get('/ops/events', { 'x-api-key': by.admin.key })).status).toBe(401);
  });
});

describe("an operator's key", () => {
  it('says whose it is and what it may do, without the key', async () => {
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      const { auth, key, name } = by[role];
      const { status, body, text } = await get('/ops/whoami', auth);
      expect([status, body]).toEqual([
        200,
        { name, issuer: null, role, credential: 'operator_key', expires_at: expect.any(String) as string },
      ]);
      expect(text).not.toContain(key);
    }
    const nobody = { name: null, issuer: null, role: 'admin', credential: 'admin_token', expires_at: null };
    expect((await get('/ops/whoami', adminToken)).body).toEqual(nobody);
    for (const headers of [{}, agent.auth, { authorization: 'Bearer registry-operator-sk-unknown' }])
      expect((await get('/ops/whoami', headers)).status).toBe(401);
  });

  it('is listed without the key, with who created it, and is shown once', async () => {
    const { keyId, name, key } = await createOperatorKey('viewer', { by: by.admin.auth });
    const { text, list } = await get('/ops/keys', by.viewer.auth);
    expect(text).not.toContain(key);
    expect(list.find((one) => one['key_id'] === keyId)).toMatchObject({
      name,
      role: 'viewer',
      status: 'active',
      created_by: { id: by.admin.name, issuer: null },
      revoked_at: null,
    });
    const byNobody = list.find((one) => one['key_id'] === by.admin.keyId);
    expect(byNobody?.['created_by']).toEqual({ id: null, issuer: null });
  });

  it('shows when it was last used', async () => {
    const { auth, keyId } = await createOperatorKey('viewer');
    const before = Date.now();
    await get('/ops/events?limit=1', auth);
    const lastUse = async () => (await get('/ops/keys', auth)).list.find((one) => one['key_id'] === keyId);
    await expect
      .poll(async () => Date.parse(String((await lastUse())?.['last_used_at'])))
      .toBeGreaterThanOrEqual(before - 1_000);
  });

  // A key that a gateway remembers would work there until it forgets it.
  it('fails at every gateway from the answer to its revocation on', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { auth, name, keyId } = await createOperatorKey('viewer');
      for (const gateway of gateways) {
        expect((await ask('GET', '/ops/events?limit=1', { headers: auth, gateway, owner: true })).status).toBe(200);
      }
      const revoked = await revokeOperatorKey(name);
      expect(revoked.body).toMatchObject({ key_id: keyId, status: 'revoked', reason: 'The test is over.' });
      const answers = await Promise.all(
        gateways.map((gateway) => ask('GET', '/ops/events?limit=1', { headers: auth, gateway })),
      );
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
      // Again, and by the other name: what was said first stands.
      expect((await revokeOperatorKey(keyId)).body).toEqual(revoked.body);
    }
    expect((await revokeOperatorKey(unique('nobody'))).body['code']).toBe('operator_key_not_found');
  });

  it('has a name of its own while it works, and an end', async () => {
    const { name } = await createOperatorKey('viewer');
    const again = () => post('/ops/keys', { name, role: 'admin' }, adminToken);
    expect((await again()).body['code']).toBe('operator_key_name_taken');
    await revokeOperatorKey(name);
    expect((await again()).status).toBe(201);
    const endless = { name: unique('endless'), role: 'viewer', expires_at: '2999-01-01T00:00:00Z' };
    expect((await post('/ops/keys', endless, adminToken)).status).toBe(422);
    // A request that takes longer than that asks for a key that has ended, which is refused.
    const lifeMs = 1_500;
    const { body } = await waitFor(async () => {
      const soon = new Date(Date.now() + lifeMs).toISOString();
      const made = await post('/ops/keys', { ...endless, expires_at: soon }, adminToken);
      return made.status === 201 ? made : null;
    });
    const auth = { authorization: `Bearer ${String(body['key'])}` };
    await expect.poll(async () => (await ask('GET', '/ops/keys', { headers: auth })).text).toContain('expired at');
  });
});

describe('the audit trail', () => {
  const ops = (query: string) => ask('GET', `/ops/events${query}`, { headers: by.viewer.auth, owner: true });

  it('names the operator who caused an event, to operators', async () => {
    const path = `/ops/agents/${agent.agentId}/suspend`;
    expect((await post(path, { reason: 'a test' }, by.operator.auth)).status).toBe(200);
    const { list } = await ops(`?operator=${by.operator.name}&agent_id=${agent.agentId}`);
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      type: 'AgentSuspended',
      metadata: { actor: { kind: 'operator', id: by.operator.name, credentials: ['operator_key'] } },
      operator: { id: by.operator.name, issuer: null, break_glass: false },
    });
    expect((await ops(`?operator=${unique('nobody')}`)).list).toEqual([]);
  });

  it('shows the owner of the agent that an operator did it, and not which one', async () => {
    const { list, text } = await ask('GET', `/org/agents/${agent.agentId}/events?type=AgentSuspended`, {
      headers: org.key,
      owner: true,
    });
    expect(list[0]?.['actor']).toEqual({ kind: 'operator', id: null, credentials: null });
    expect(text).not.toContain(by.operator.name);
  });

  it('shows the secrets of the installation as break-glass', async () => {
    const other = await join(org.key);
    await post(`/ops/agents/${other.agentId}/suspend`, { reason: 'a test' }, adminToken);
    const { list } = await ops(`?break_glass=true&agent_id=${other.agentId}`);
    expect(list.map(({ type, operator }) => [type, operator])).toEqual([
      ['AgentSuspended', { id: null, issuer: null, break_glass: true }],
    ]);
    const name = unique('org');
    await post('/org/create-key', { org_name: name, contact_email: 'ops@org.example' }, adminKey);
    const created = (await ops(`?org=${name}`)).list[0];
    expect(created).toMatchObject({
      metadata: { actor: { kind: 'operator', id: null, credentials: ['admin_key'] } },
      operator: { break_glass: true },
    });
    expect((await ops(`?break_glass=true&operator=${by.operator.name}`)).list).toEqual([]);
  });
});

describe('POST /org/create-key', () => {
  const body = () => ({ org_name: unique('org'), contact_email: 'ops@org.example' });

  it('takes an operator of the role admin, and no token of the installation', async () => {
    const named = body();
    expect((await post('/org/create-key', named, by.admin.auth)).status).toBe(201);
    const [event] = (await ask('GET', `/ops/events?org=${named.org_name}`, { headers: by.viewer.auth, owner: true }))
      .list;
    expect(event?.['operator']).toEqual({ id: by.admin.name, issuer: null, break_glass: false });
    expect((await post('/org/create-key', body(), adminToken)).body['code']).toBe('invalid_admin_key');
    // X-Admin-Key decides, as specified.
    const both = await post('/org/create-key', body(), { 'x-admin-key': 'wrong', ...by.admin.auth });
    expect(both.body['code']).toBe('invalid_admin_key');
    expect((await post('/org/create-key', body(), { ...adminKey, ...by.viewer.auth })).status).toBe(201);
  });
});
