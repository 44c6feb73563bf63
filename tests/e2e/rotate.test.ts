import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  ask,
  call,
  createOrg,
  freshClient,
  gateways,
  get,
  join,
  type Member,
  type Org,
  post,
  redeem,
  tokenOf,
} from '../support/ask.ts';
import { textMessage, unique } from '../support/registry.ts';

let org: Org;
let independent: Member;
let member: Member;
beforeAll(async () => {
  org = await createOrg();
  independent = await join();
  member = await join(org.key);
});

const rotate = (agentId: unknown, headers: Record<string, string> = {}, gateway?: string) =>
  post('/rotate', { agent_id: agentId }, { ...freshClient(), ...headers }, gateway);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof rotate>>) => [status, body['code']];

/** Whether the gateway accepts a key: an authenticated caller gets the error that the target is unknown. */
const isAccepted = async ({ agentId, auth }: Member, gateway?: string): Promise<boolean> => {
  const message = { caller_agent_id: agentId, agent_id: 'nobody at all', message: textMessage('x') };
  const { status } = await post('/call', message, auth, gateway);
  expect([401, 404]).toContain(status);
  return status === 404;
};

describe('GET /whoami', () => {
  it('says which agent a key is of, to that agent alone', async () => {
    const draft = await join(org.sandboxKey);
    const of = async ({ auth }: Member) => (await get('/whoami', auth)).body;
    expect(await of(independent)).toEqual({ agent_id: independent.agentId, org_id: null, is_sandbox: false });
    const orgId = (await get(`/organisation?org_name=${encodeURIComponent(org.name)}`)).body['org_id'];
    expect(await of(member)).toEqual({ agent_id: member.agentId, org_id: orgId, is_sandbox: false });
    expect(await of(draft)).toEqual({ agent_id: draft.agentId, org_id: orgId, is_sandbox: true });
    for (const headers of [{}, org.key, adminToken, { authorization: 'Bearer registry-agent-sk-unknown' }])
      expect((await get('/whoami', headers)).status).toBe(401);
  });
});

describe('POST /rotate', () => {
  it("gives the link to the agent's organisation, the admin, the agent's own key, and to anyone if there is a contact_email", async () => {
    for (const [agentId, headers] of [
      [member.agentId, org.key],
      [member.agentId, adminToken],
      [member.agentId, member.auth],
      [independent.agentId, {}],
      [independent.agentId, adminToken],
    ] as const) {
      const answer = await rotate(agentId, headers);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).toSorted()).toEqual(['agent_id', 'agent_key', 'claim_link', 'status']);
      expect(answer.body).toMatchObject({ agent_id: agentId, status: 'claim_issued', agent_key: null });
      expect(tokenOf(answer.body['claim_link'])).not.toBe('');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    // A request for a link does not rotate: the old key works until the link is redeemed.
    expect(await isAccepted(member)).toBe(true);
  });

  it('an X-API-KEY that is invalid or of another organisation is 403, without a fallback', async () => {
    const other = await createOrg();
    for (const headers of [
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': '' },
      other.key,
      { ...other.key, ...adminToken },
      { ...other.key, ...member.auth },
    ]) {
      expect(codeOf(await rotate(member.agentId, headers))).toEqual([403, 'invalid_rotation_credential']);
      expect(codeOf(await rotate(independent.agentId, headers))).toEqual([403, 'invalid_rotation_credential']);
      expect(codeOf(await rotate('nobody at all', headers))).toEqual([403, 'invalid_rotation_credential']);
    }
  });

  it("the organisation's key of the other universe is 403 wrong_universe", async () => {
    const draft = await join(org.sandboxKey);
    expect(codeOf(await rotate(draft.agentId, org.key))).toEqual([403, 'wrong_universe']);
    expect(codeOf(await rotate(member.agentId, org.sandboxKey))).toEqual([403, 'wrong_universe']);
    expect((await rotate(draft.agentId, org.sandboxKey)).status).toBe(200);
  });

  it("another agent's key is 403, an invalid one 401", async () => {
    expect(codeOf(await rotate(member.agentId, independent.auth))).toEqual([403, 'invalid_rotation_credential']);
    for (const authorization of ['Bearer x', `Bearer registry-agent-sk-${'A'.repeat(43)}`, 'Basic eDp5'])
      expect(codeOf(await rotate(member.agentId, { authorization }))).toEqual([401, 'invalid_credential']);
  });

  it('without a credential: unknown and sandbox agents are 404, an agent without contact_email is 400', async () => {
    const draft = await join(org.sandboxKey, { contact_email: 'owner@agent.example' });
    expect(codeOf(await rotate('nobody at all'))).toEqual([404, 'agent_not_found']);
    expect(codeOf(await rotate(draft.agentId))).toEqual([404, 'agent_not_found']);
    expect(codeOf(await rotate(member.agentId))).toEqual([400, 'contact_email_missing']);
    expect(codeOf(await rotate('nobody at all', adminToken))).toEqual([404, 'agent_not_found']);
  });

  it('an invalid signature is refused, never ignored', async () => {
    expect((await rotate(independent.agentId, { signature: 'sig1=:AA==:' })).status).toBe(401);
    expect((await rotate(independent.agentId, { 'signature-input': 'sig1=()' })).status).toBe(401);
  });

  it.each([undefined, null, 5, '', 'a'.repeat(129)])('agent_id %j is 422', async (agentId) => {
    expect(codeOf(await rotate(agentId))).toEqual([422, 'validation_failed']);
  });
});

describe('GET /rotate', () => {
  it('redeems a claim link once, on any gateway, with uncacheable answers', async () => {
    const agentId = unique('agent');
    const registered = await post('/register', { agent_id: agentId, contact_email: 'a@b.example' });
    const redeemed = await redeem(registered.body['claim_link'], gateways[1]);
    expect(redeemed.status).toBe(200);
    expect(redeemed.body).toMatchObject({ agent_id: agentId, status: 'rotated', claim_link: null });
    expect(redeemed.body['agent_key']).toMatch(/^registry-agent-sk-[A-Za-z0-9_-]{43}$/u);
    expect(redeemed.headers.get('cache-control')).toBe('no-store');
    expect(redeemed.headers.get('referrer-policy')).toBe('no-referrer');
    for (const gateway of gateways) {
      const again = await redeem(registered.body['claim_link'], gateway);
      expect(codeOf(again)).toEqual([400, 'invalid_claim_token']);
      expect(again.headers.get('cache-control')).toBe('no-store');
      expect(again.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('used, unknown, malformed and foreign tokens get the same answer', async () => {
    const { body } = await rotate(independent.agentId);
    const token = tokenOf(body['claim_link']);
    const [id = '', secret = ''] = token.split('.');
    const nobody = Buffer.from('nobody at all').toString('base64url');
    const texts = new Set<unknown>();
    for (const wrong of [
      'x',
      `${id}.${'A'.repeat(43)}`,
      `${nobody}.${secret}`,
      `${Buffer.from(member.agentId).toString('base64url')}.${secret}`,
      `${id}.${secret}.`,
      `${id}.${secret}=`,
      `${id}=.${secret}`,
      `.${secret}`,
      `${id}.`,
      `\u00e9.${secret}`,
      `${Buffer.from([0xff, 0xfe]).toString('base64url')}.${secret}`,
      `${Buffer.from('a\0b').toString('base64url')}.${secret}`,
      `${Buffer.from('a'.repeat(500)).toString('base64url')}.${secret}`,
    ]) {
      const answer = await get(`/rotate?token=${encodeURIComponent(wrong)}`);
      expect([answer.status, answer.body['code'], wrong]).toEqual([400, 'invalid_claim_token', wrong]);
      texts.add(answer.body['detail']);
    }
    expect((await redeem(body['claim_link'])).status).toBe(200);
    texts.add((await redeem(body['claim_link'])).body['detail']);
    expect(texts.size).toBe(1);
    independent = { ...independent, auth: {} };
  });

  it.each([
    '/rotate',
    '/rotate?token=',
    '/rotate?token=a&token=b',
    `/rotate?token=${'a'.repeat(1025)}`,
    '/rotate?token=%00',
  ])('%s is 422', async (path) => {
    expect((await get(path)).status).toBe(422);
  });

  it('HEAD never redeems', async () => {
    const holder = await join();
    const { body } = await rotate(holder.agentId);
    const token = encodeURIComponent(tokenOf(body['claim_link']));
    expect((await ask('HEAD', `/rotate?token=${token}`)).status).toBe(405);
    expect((await redeem(body['claim_link'])).status).toBe(200);
  });

  it('as soon as the new key is issued, the old one fails on every gateway', async () => {
    let current = await join();
    for (let round = 0; round < 20; round += 1) {
      const { body } = await rotate(current.agentId, current.auth, gateways[round % 2]);
      const redeemed = await redeem(body['claim_link'], gateways[round % 2]);
      const renewed = { ...current, auth: { authorization: `Bearer ${String(redeemed.body['agent_key'])}` } };
      const before = current;
      const accepted = await Promise.all(
        gateways.flatMap((gateway) => [isAccepted(before, gateway), isAccepted(renewed, gateway)]),
      );
      expect(accepted).toEqual([false, true, false, true]);
      current = renewed;
    }
    expect((await call(current, 'nobody at all', textMessage('x'))).status).toBe(404);
  });

  it('several links may be pending; each works once, and the newest key counts', async () => {
    const holder = await join();
    const links = [await rotate(holder.agentId, adminToken), await rotate(holder.agentId, adminToken)].map(
      ({ body }) => body['claim_link'],
    );
    const keys = [];
    for (const link of links)
      keys.push({ ...holder, auth: { authorization: `Bearer ${String((await redeem(link)).body['agent_key'])}` } });
    expect(await Promise.all([holder, ...keys].map((key) => isAccepted(key)))).toEqual([false, false, true]);
  });

  it('a stolen key leaves no link behind: the links that it requested end when the key is rotated', async () => {
    const holder = await join();
    const stolen = await Promise.all([1, 2].map(() => rotate(holder.agentId, holder.auth)));
    const owners = await rotate(holder.agentId, adminToken);
    const redeemed = await redeem(owners.body['claim_link']);
    expect(redeemed.status).toBe(200);
    for (const { body } of stolen)
      expect(codeOf(await redeem(body['claim_link'], gateways[1]))).toEqual([400, 'invalid_claim_token']);
    const renewed = { ...holder, auth: { authorization: `Bearer ${String(redeemed.body['agent_key'])}` } };
    expect(await isAccepted(renewed)).toBe(true);
    // The new key can request a link that works.
    const own = await rotate(holder.agentId, renewed.auth);
    expect((await redeem(own.body['claim_link'])).status).toBe(200);
  });
});
