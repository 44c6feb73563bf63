import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  createOrg,
  freshClient,
  gateways,
  get,
  type HeaderMap,
  join,
  type Org,
  post,
  verify,
} from '../support/ask.ts';
import { orgKey, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

const issue = (key: HeaderMap, gateway?: string): Promise<Answer> => post('/org/sandbox-key', undefined, key, gateway);
const revoke = (headers: HeaderMap, gateway: string = gateways[0]): Promise<Answer> =>
  ask('DELETE', '/org/sandbox-key', { headers, gateway });
const replace = (key: HeaderMap, gateway?: string): Promise<Answer> => post('/org/rotate-key', undefined, key, gateway);
const codeOf = ({ status, body }: Answer): unknown[] => [status, body['code']];
const statuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** Every use of an organisation's key at a gateway, and the refusal of an invalid one. */
const refusals = async (key: HeaderMap, gateway: string): Promise<Set<string>> => {
  const agentId = unique('never');
  const answers = [
    await get('/org/whoami', key, gateway),
    await get('/org/agents', key, gateway),
    await get(`/org/agents/${agentId}`, key, gateway),
    await get('/org/payments', key, gateway),
    await issue(key, gateway),
    await revoke(key, gateway),
    await replace(key, gateway),
    await get('/registry', key, gateway),
    await get(`/agent/${agentId}`, key, gateway),
    await verify(agentId, key, gateway),
    await post('/match', { org_name: 'x' }, key, gateway),
    await post('/register', { agent_id: agentId }, key, gateway),
    await post('/rotate', { agent_id: agentId }, { ...key, ...freshClient() }, gateway),
  ];
  return new Set(answers.map(({ status, body }) => `${status} ${String(body['code'])}`));
};
const noKey = new Set(['401 invalid_api_key', '403 invalid_rotation_credential']);

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

describe.each([
  ['POST', '/org/sandbox-key'],
  ['DELETE', '/org/sandbox-key'],
  ['POST', '/org/rotate-key'],
])('%s %s', (method, path) => {
  const send = (headers: HeaderMap) => ask(method, path, { headers });

  it('is 401 for everything but a known production key', async () => {
    expect(codeOf(await send({}))).toEqual([401, 'credential_required']);
    const { auth } = await join(org.key);
    expect(codeOf(await send(auth))).toEqual([401, 'credential_required']);
    for (const headers of [org.sandboxKey, orgKey('x'), orgKey(''), orgKey(`registry-org-sk-${'A'.repeat(43)}`)]) {
      expect(codeOf(await send(headers))).toEqual([401, 'invalid_api_key']);
    }
  });
});

describe('the sandbox key', () => {
  it('exists from the beginning, so another one is 409', async () => {
    expect(codeOf(await issue(org.key))).toEqual([409, 'sandbox_key_exists']);
    expect((await get('/org/whoami', org.sandboxKey)).status).toBe(200);
  });

  it('is revoked, and issued again for the same sandbox with the same agents', async () => {
    const own = await createOrg();
    const draft = await join(own.sandboxKey);
    const revoked = await revoke(own.key);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toEqual({ org_name: own.name, revoked_at: expect.stringMatching(/^\d{4}-.*Z$/u) });
    for (const gateway of gateways) expect(await refusals(own.sandboxKey, gateway)).toEqual(noKey);
    expect(codeOf(await revoke(own.key))).toEqual([404, 'sandbox_key_absent']);
    // The sandbox stays closed, and the production key does not open it.
    expect((await verify(draft.agentId, own.key)).status).toBe(404);

    const issued = await issue(own.key, gateways[1]);
    expect([issued.status, issued.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(Object.keys(issued.body).toSorted()).toEqual(['created_at', 'org_name', 'sandbox_api_key']);
    expect(issued.body['org_name']).toBe(own.name);
    const renewed = orgKey(String(issued.body['sandbox_api_key']));
    for (const gateway of gateways) {
      expect((await get('/org/whoami', renewed, gateway)).body).toEqual({ org_name: own.name, is_sandbox: true });
      expect((await get('/org/agents', renewed, gateway)).list).toMatchObject([{ agent_id: draft.agentId }]);
      expect(await refusals(own.sandboxKey, gateway)).toEqual(noKey);
    }
    expect((await post('/register', { agent_id: unique('draft') }, renewed)).body).toMatchObject({ is_sandbox: true });
    expect(codeOf(await issue(own.key))).toEqual([409, 'sandbox_key_exists']);
  });

  it('of twenty requests at once over both gateways one is 201, the others 409; of revocations one is 200', async () => {
    const own = await createOrg();
    const twenty = (send: (gateway: string) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: 20 }, (_, turn) => served(() => send(gateways[turn % 2] ?? ''))));
    expect(statuses(await twenty((gateway) => revoke(own.key, gateway)))).toEqual([200, ...Array(19).fill(404)]);
    const issued = await twenty((gateway) => issue(own.key, gateway));
    expect(statuses(issued)).toEqual([201, ...Array(19).fill(409)]);
    const key = issued.find(({ status }) => status === 201)?.body['sandbox_api_key'];
    expect((await get('/org/whoami', orgKey(String(key)))).status).toBe(200);
  });
});

describe('the production key', () => {
  it('is replaced: the old one opens nothing any more, the agents and the sandbox key stay', async () => {
    const own = await createOrg();
    const live = await join(own.key);
    const replaced = await replace(own.key);
    expect([replaced.status, replaced.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(Object.keys(replaced.body).toSorted()).toEqual(['api_key', 'created_at', 'org_name']);
    const renewed = orgKey(String(replaced.body['api_key']));
    for (const gateway of gateways) {
      expect(await refusals(own.key, gateway)).toEqual(noKey);
      expect((await get('/org/whoami', renewed, gateway)).body).toEqual({ org_name: own.name, is_sandbox: false });
      expect((await get('/org/whoami', own.sandboxKey, gateway)).body).toMatchObject({ is_sandbox: true });
      expect((await get('/org/agents', renewed, gateway)).list).toMatchObject([{ agent_id: live.agentId }]);
    }
    // The old key stays useless, also after the next replacement.
    const again = await replace(renewed);
    for (const gateway of gateways) {
      expect(await refusals(own.key, gateway)).toEqual(noKey);
      expect(await refusals(renewed, gateway)).toEqual(noKey);
    }
    expect((await get('/org/whoami', orgKey(String(again.body['api_key'])))).status).toBe(200);
  });

  it('replaced by two requests at once is replaced once; the other request carries an invalid key by then', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await createOrg();
      const answers = await Promise.all(gateways.map((gateway) => served(() => replace(own.key, gateway))));
      expect(statuses(answers)).toEqual([200, 401]);
      const winner = answers.find(({ status }) => status === 200)?.body['api_key'];
      expect((await get('/org/whoami', orgKey(String(winner)))).status).toBe(200);
      expect((await get('/org/whoami', own.key)).status).toBe(401);
    }
  });

  it('of one organisation: its replacement changes nothing for another', async () => {
    const [own, other] = [await createOrg(), await createOrg()];
    await replace(own.key);
    await revoke(other.key);
    expect((await get('/org/whoami', other.key)).status).toBe(200);
    expect((await get('/org/whoami', own.sandboxKey)).status).toBe(200);
    expect((await get('/org/whoami', other.sandboxKey)).status).toBe(401);
  });
});
