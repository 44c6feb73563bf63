import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  createOrg,
  faultLocations,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  verify,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { send, signer } from '../support/signer.ts';
import { outcome, update } from '../support/updates.ts';

let org: Org;
let rival: Org;
let free: Member;
let live: Member;
let draft: Member;
beforeAll(async () => {
  [org, rival] = await Promise.all([createOrg(), createOrg()]);
  free = await join();
  live = await join(org.key);
  draft = await join(org.sandboxKey);
});

let count = 0;
/** An update with a visible effect. */
const change = () => ({ specialty: `change ${(count += 1)}` });
const expectAllowed = async (agentId: string, credential: HeaderMap, seenWith: HeaderMap = {}): Promise<void> => {
  const fields = change();
  const answer = await update(agentId, fields, credential);
  expect([answer.status, answer.body['specialty']]).toEqual([200, fields.specialty]);
  expect((await verify(agentId, seenWith)).body['specialty']).toBe(fields.specialty);
};

describe('an update is allowed with', () => {
  it("the agent's own key, in production and in a sandbox, with or without an organisation", async () => {
    await expectAllowed(free.agentId, free.auth);
    await expectAllowed(live.agentId, live.auth);
    await expectAllowed(draft.agentId, draft.auth, org.sandboxKey);
  });

  it("the agent's signature", async () => {
    const key = await signer();
    const answer = await send(key, '/update', { agent_id: key.keyId, specialty: 'signed' });
    expect([answer.status, answer.body['specialty']]).toEqual([200, 'signed']);
    const beside = await send(key, '/update', { agent_id: live.agentId, specialty: 'x' }, { headers: org.key });
    expect(outcome(beside)).toEqual([200, undefined]);
  });

  it("its organisation's key for its universe, with any agent's key besides", async () => {
    await expectAllowed(live.agentId, org.key);
    await expectAllowed(draft.agentId, org.sandboxKey, org.sandboxKey);
    for (const { auth } of [live, draft, free]) await expectAllowed(live.agentId, { ...org.key, ...auth });
  });

  it('the admin credential, everywhere', async () => {
    await expectAllowed(free.agentId, adminToken);
    await expectAllowed(live.agentId, adminToken);
    await expectAllowed(live.agentId, { ...adminToken, ...org.key });
    await expectAllowed(draft.agentId, adminToken, org.sandboxKey);
  });
});

describe('an update is refused', () => {
  it('without a valid credential, even if another credential is valid', async () => {
    const fields = change();
    expect(outcome(await update(live.agentId, fields, {}))).toEqual([401, 'credential_required']);
    for (const [credential, code] of [
      [{ authorization: 'Bearer nonsense' }, 'invalid_credential'],
      [{ authorization: `Bearer registry-agent-sk-${'A'.repeat(43)}` }, 'invalid_credential'],
      [{ 'x-api-key': 'nonsense' }, 'invalid_api_key'],
      [{ ...org.key, authorization: 'Bearer nonsense' }, 'invalid_credential'],
      [{ ...live.auth, 'x-api-key': 'nonsense' }, 'invalid_api_key'],
      [{ ...adminToken, 'x-api-key': '' }, 'invalid_api_key'],
    ] as const) {
      expect(outcome(await update(live.agentId, fields, credential))).toEqual([401, code]);
    }
    expect((await verify(live.agentId)).body['specialty']).not.toBe(fields.specialty);
  });

  it('for another agent, and for an organisation that does not own it: 403', async () => {
    const credentials = [
      rival.key,
      rival.sandboxKey,
      (await join()).auth,
      (await join(org.key)).auth,
      { ...rival.key, ...live.auth },
      { ...rival.key, ...adminToken },
    ];
    for (const credential of credentials) {
      expect(outcome(await update(live.agentId, change(), credential))).toEqual([403, 'not_owner']);
    }
    expect(outcome(await update(free.agentId, change(), org.key))).toEqual([403, 'not_owner']);
    expect(outcome(await update(free.agentId, change(), { ...org.key, ...live.auth }))).toEqual([403, 'not_owner']);
    expect(outcome(await update(free.agentId, change(), { ...org.sandboxKey, ...free.auth }))).toEqual([
      403,
      'not_owner',
    ]);
  });

  it("for its organisation's key of the other universe: 403 wrong_universe, also with the agent's key besides", async () => {
    for (const [agentId, key] of [
      [live.agentId, org.sandboxKey],
      [draft.agentId, org.key],
    ] as const) {
      expect(outcome(await update(agentId, change(), key))).toEqual([403, 'wrong_universe']);
      expect(outcome(await update(agentId, change(), { ...key, ...adminToken }))).toEqual([403, 'wrong_universe']);
    }
    expect(outcome(await update(live.agentId, change(), { ...org.sandboxKey, ...live.auth }))).toEqual([
      403,
      'wrong_universe',
    ]);
  });
});

describe('an unknown agent', () => {
  it('is 404 for every credential', async () => {
    for (const credential of [free.auth, org.key, org.sandboxKey, adminToken]) {
      expect(outcome(await update(unique('nobody'), change(), credential))).toEqual([404, 'agent_not_found']);
    }
  });

  it("gets the same answer as one in another organisation's sandbox", async () => {
    const nobody = unique('nobody');
    for (const credential of [free.auth, live.auth, rival.key, rival.sandboxKey]) {
      const [hidden, unknown] = [
        await update(draft.agentId, change(), credential),
        await update(nobody, {}, credential),
      ];
      expect(outcome(hidden)).toEqual([404, 'agent_not_found']);
      expect(String(hidden.body['detail']).replace(draft.agentId, '')).toBe(
        String(unknown.body['detail']).replace(nobody, ''),
      );
    }
  });
});

describe('the order of checks', () => {
  it("the shape, the credential, the agent's existence, the permission, and then the rules", async () => {
    const wrong = {
      public_key: 'x',
      org_name: 'Z',
      capabilities: [3, 3].map((weight, i) => ({ name: `c${i}`, weight })),
    };
    const outcomes = [
      await post('/update', { agent_id: 7 }, {}),
      await update(unique('nobody'), wrong, {}),
      await update(unique('nobody'), wrong, live.auth),
      await update(live.agentId, wrong, free.auth),
      await update(live.agentId, wrong, live.auth),
      await update(live.agentId, { ...wrong, org_name: null }, live.auth),
      await update(live.agentId, { capabilities: wrong.capabilities }, live.auth),
    ].map(outcome);
    expect(outcomes).toEqual([
      [422, 'validation_failed'],
      [401, 'credential_required'],
      [404, 'agent_not_found'],
      [403, 'not_owner'],
      [403, 'org_fields_forbidden'],
      [400, 'invalid_public_key'],
      [400, 'capability_weights_exceeded'],
    ]);
  });

  it.each([
    ['agent_id', undefined],
    ['agent_id', null],
    ['agent_id', ''],
    ['agent_id', 'a'.repeat(129)],
  ])('%s %j is 422', async (_field, agent_id) => {
    const answer = await post('/update', agent_id === undefined ? {} : { agent_id }, live.auth);
    expect([answer.status, faultLocations(answer)]).toEqual([422, ['body.agent_id']]);
  });
});

it('the answer is the public trust object, and the bearer key works as before', async () => {
  const answer = await update(live.agentId, { endpoint_url: 'https://hidden-endpoint-7c1e.example/' }, live.auth);
  expect(answer.body).toMatchObject({ agent_id: live.agentId, org_name: org.name, verified: true, trust_score: 75 });
  expect(Object.keys(answer.body)).not.toEqual(
    expect.arrayContaining(['is_sandbox', 'related_agent_id', 'contact_info']),
  );
  expect((await update(live.agentId, {}, live.auth)).status).toBe(200);
});
