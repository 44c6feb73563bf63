import { beforeAll, describe, expect, it } from 'vitest';
import { adminToken, createOrg, gateways, type HeaderMap, join, type Org, post, verify } from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { send, signer } from '../support/signer.ts';
import { outcome, owned, update } from '../support/updates.ts';
import { served } from '../support/served.ts';

let org: Org;
let rival: Org;
beforeAll(async () => {
  [org, rival] = await Promise.all([createOrg(), createOrg()]);
});
const freshDomain = (): string => `${unique('d')}.example`;
const orgOf = async (agentId: string, headers: HeaderMap = {}) => {
  const { body } = await verify(agentId, headers);
  return { name: body['org_name'], domain: body['org_domain'], verified: body['verified'], score: body['trust_score'] };
};

describe('org_name and org_domain', () => {
  it("are 403 with the agent's own credential alone, and ignored if they are null", async () => {
    const key = await signer();
    for (const agent of [await join(), await join(org.key)]) {
      for (const fields of [{ org_name: 'Z' }, { org_domain: freshDomain() }, { org_name: 'Z', specialty: 's' }]) {
        expect(outcome(await update(agent.agentId, fields, agent.auth))).toEqual([403, 'org_fields_forbidden']);
      }
      const nulls = await update(agent.agentId, { org_name: null, org_domain: null, specialty: 'n' }, agent.auth);
      expect([nulls.status, nulls.body['specialty']]).toEqual([200, 'n']);
    }
    expect(outcome(await send(key, '/update', { agent_id: key.keyId, org_name: 'Z' }))).toEqual([
      403,
      'org_fields_forbidden',
    ]);
  });

  it("a null from the agent itself leaves its organisation's domain unchanged", async () => {
    const domain = freshDomain();
    const agent = await join(org.key, { org_domain: domain });
    expect((await update(agent.agentId, { org_domain: null, org_name: null }, agent.auth)).status).toBe(200);
    expect(await orgOf(agent.agentId)).toMatchObject({ name: org.name, domain });
  });

  it("a key forces its organisation's name, whatever the request says", async () => {
    const agent = await join(org.key);
    for (const org_name of ['Somebody Else', null, org.name]) {
      const answer = await update(agent.agentId, { org_name }, org.key);
      expect([answer.status, answer.body['org_name']]).toEqual([200, org.name]);
    }
  });

  it("the admin sets and clears both freely; the next update by the organisation's key restores the name", async () => {
    const domain = freshDomain();
    const agent = await join(org.key);
    const said = await update(agent.agentId, { org_name: 'Free Text', org_domain: domain }, adminToken);
    expect(said.body).toMatchObject({ org_name: 'Free Text', org_domain: domain });
    const cleared = await update(agent.agentId, { org_name: null, org_domain: null }, adminToken);
    expect(cleared.body).toMatchObject({ org_name: null, org_domain: null });
    expect((await update(agent.agentId, {}, agent.auth)).body['org_name']).toBeNull();
    expect((await update(agent.agentId, {}, org.key)).body['org_name']).toBe(org.name);
    const independent = await join();
    expect((await update(independent.agentId, { org_name: 'Free Text' }, adminToken)).body).toMatchObject({
      org_name: 'Free Text',
      verified: false,
    });
  });
});

describe('adoption', () => {
  it("with the agent's own key and a production key: the agent is verified and named, keeps its score, and belongs to the organisation", async () => {
    const agent = await join();
    expect(await orgOf(agent.agentId)).toMatchObject({ name: null, verified: false, score: 40 });
    const domain = freshDomain();
    const fields = { org_name: 'Z', org_domain: domain, specialty: 'adopted' };
    const adopted = await update(agent.agentId, fields, { ...org.key, ...agent.auth });
    expect(adopted.body).toMatchObject({
      org_name: org.name,
      org_domain: domain,
      specialty: 'adopted',
      verified: true,
      trust_score: 40,
    });
    expect(adopted.body['flags']).not.toContain('unverified');
    expect(await owned(agent.agentId, org.key)).toMatchObject({ agent_id: agent.agentId, is_sandbox: false });
    expect((await update(agent.agentId, { specialty: 'by key' }, org.key)).status).toBe(200);
    expect(outcome(await update(agent.agentId, {}, { ...rival.key, ...agent.auth }))).toEqual([403, 'not_owner']);
    expect((await update(agent.agentId, { specialty: 'by itself' }, agent.auth)).status).toBe(200);
  });

  it("with the agent's signature, or on the admin's decision", async () => {
    const key = await signer();
    const signed = await send(key, '/update', { agent_id: key.keyId }, { headers: org.key });
    expect([signed.status, signed.body['org_name']]).toEqual([200, org.name]);
    const other = await join();
    const answer = await update(other.agentId, {}, { ...org.key, ...adminToken });
    expect([answer.status, answer.body['org_name'], answer.body['verified']]).toEqual([200, org.name, true]);
  });

  it('not with a key alone, a sandbox key, or for an agent of another organisation', async () => {
    const agent = await join();
    for (const credential of [org.key, { ...org.sandboxKey, ...agent.auth }, org.sandboxKey]) {
      expect(outcome(await update(agent.agentId, {}, credential))).toEqual([403, 'not_owner']);
    }
    const rivals = await join(rival.key);
    expect(outcome(await update(rivals.agentId, {}, { ...org.key, ...rivals.auth }))).toEqual([403, 'not_owner']);
    expect(await orgOf(agent.agentId)).toMatchObject({ name: null, verified: false });
  });

  it('by two organisations at once succeeds for one', async () => {
    const agent = await join();
    const answers = await Promise.all(
      [org, rival, org, rival, org, rival].map(({ key }, index) =>
        served(() => update(agent.agentId, {}, { ...key, ...agent.auth }, gateways[index % 2])),
      ),
    );
    const { name } = await orgOf(agent.agentId);
    const expected = [org, rival, org, rival, org, rival].map((one) => (one.name === name ? 200 : 403));
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });
});

describe('org_domain', () => {
  it('of another organisation is 409, of its own is shared, in any spelling', async () => {
    const domain = freshDomain();
    const first = await join(org.key, { org_domain: domain });
    const second = await join(org.key);
    const draft = await join(org.sandboxKey);
    const rivals = await join(rival.key);
    const rivalDraft = await join(rival.sandboxKey);
    const independent = await join();
    for (const spelling of [domain, `${domain.toUpperCase()}.`]) {
      expect((await update(second.agentId, { org_domain: spelling }, org.key)).body['org_domain']).toBe(domain);
      expect((await update(draft.agentId, { org_domain: spelling }, org.sandboxKey)).body['org_domain']).toBe(domain);
      for (const [agent, credential] of [
        [rivals, rival.key],
        [rivalDraft, rival.sandboxKey],
        [rivals, adminToken],
        [independent, adminToken],
      ] as const) {
        expect(outcome(await update(agent.agentId, { org_domain: spelling }, credential))).toEqual([
          409,
          'org_domain_taken',
        ]);
      }
    }
    expect((await update(first.agentId, { org_domain: domain }, org.key)).status).toBe(200);
    const register = { agent_id: unique('agent'), org_domain: domain };
    expect(outcome(await post('/register', register, org.key))).toEqual([409, 'org_domain_taken']);
  });

  it('cleared or changed by its last holder is free at once', async () => {
    const [domain, next] = [freshDomain(), freshDomain()];
    const first = await join(org.key, { org_domain: domain });
    const second = await join(org.key);
    const rivals = await join(rival.key);
    const toRival = () => update(rivals.agentId, { org_domain: domain }, rival.key);
    expect((await update(second.agentId, { org_domain: domain }, org.key)).status).toBe(200);
    expect((await update(first.agentId, { org_domain: null }, org.key)).body['org_domain']).toBeNull();
    expect(outcome(await toRival())).toEqual([409, 'org_domain_taken']);
    expect((await update(second.agentId, { org_domain: next }, org.key)).body['org_domain']).toBe(next);
    expect((await toRival()).body['org_domain']).toBe(domain);
    expect(outcome(await update(first.agentId, { org_domain: domain }, org.key))).toEqual([409, 'org_domain_taken']);
    expect((await update(rivals.agentId, { org_domain: null }, rival.key)).status).toBe(200);
    expect((await post('/register', { agent_id: unique('agent'), org_domain: domain }, org.key)).status).toBe(201);
  });

  it('of a refused update is not reserved', async () => {
    const domain = freshDomain();
    const agent = await join(org.key);
    expect(outcome(await update(agent.agentId, { org_domain: domain, public_key: 'x' }, org.key))[0]).toBe(400);
    expect(outcome(await update(agent.agentId, { org_domain: domain }, rival.key))[0]).toBe(403);
    expect((await post('/register', { agent_id: unique('agent'), org_domain: domain }, rival.key)).status).toBe(201);
  });

  it('requested by two organisations at once goes to one, and to all agents of that one', async () => {
    const domain = freshDomain();
    const agents = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const owner = index % 2 === 0 ? org : rival;
        return { ...(await join(owner.key)), owner };
      }),
    );
    const answers = await Promise.all(
      agents.map(({ agentId, owner }, index) =>
        served(() => update(agentId, { org_domain: domain }, owner.key, gateways[index % 2])),
      ),
    );
    const holders = new Set(
      (await Promise.all(agents.map(({ agentId }) => orgOf(agentId)))).flatMap((one) =>
        one.domain === domain ? [one.name] : [],
      ),
    );
    expect(holders.size).toBe(1);
    const expected = agents.map(({ owner }) => (holders.has(owner.name) ? 200 : 409));
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });
});
