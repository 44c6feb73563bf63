import { beforeEach, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Body,
  createOrg,
  get,
  join,
  keepingNames,
  type Org,
  post,
  profile,
  verify,
} from '../support/ask.ts';
import {
  dropDomain,
  freshDomain,
  proveDomain,
  publishProof,
  tokenFor,
  verifyDomain,
  vouchFor,
} from '../support/domains.ts';
import { unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

let [ours, others]: (Org | null)[] = [null, null];
const org = (): Org => ours as Org;
const other = (): Org => others as Org;
// Their requests for proofs are counted.
beforeEach(async () => {
  [ours, others] = await Promise.all([createOrg(), createOrg()]);
});

const register = async (agentId: string, fields: Body, key: Org['key']): Promise<Body> => {
  const answer = await post('/register', { agent_id: agentId, ...keepingNames(fields) }, key);
  if (answer.status !== 201) throw new Error(`register returned ${answer.status}: ${answer.text}`);
  return answer.body;
};
const codeOf = ({ status, body }: { status: number; body: Body }): unknown[] => [
  status,
  body['code'] ?? body['status'],
];
const listed = async (domain: string, key = org().key): Promise<Body | undefined> =>
  (await get('/org/domains', key)).list.find((one) => one['domain'] === domain);

describe('proving a domain', () => {
  it.each(['records', 'pages'] as const)(
    'by %s: asked for, refused until it is published, then shown everywhere',
    async (kind) => {
      const domain = freshDomain();
      const agentId = unique('member');
      const capability = unique('capability').replaceAll('-', '_').slice(0, 50);
      const fields = { org_domain: domain, capabilities: [capability], endpoint_url: 'https://agent.example/a2a' };
      expect(await register(agentId, fields, org().key)).toMatchObject({ org_domain: domain, domain_verified: false });

      expect(codeOf(await verifyDomain(domain, org().key))).toEqual([404, 'domain_not_requested']);
      const asked = await post('/org/domains', { domain: domain.toUpperCase() }, org().key);
      const token = String(asked.body['token']);
      expect(asked.body).toMatchObject({
        domain,
        status: 'requested',
        method: null,
        dns_record: { name: `_agent-trust-registry.${domain}`, type: 'TXT', value: token },
        page: { line: token },
      });
      expect(await tokenFor(domain, org().key)).toBe(token);
      expect(codeOf(await verifyDomain(domain, org().key))).toEqual([409, 'domain_proof_not_found']);
      expect((await verify(agentId)).body).toMatchObject({ domain_verified: false });

      await publishProof(kind, domain, `something else\n${token}\n`);
      const proved = await verifyDomain(domain, org().key);
      expect(proved.body).toMatchObject({
        domain,
        status: 'proved',
        method: kind === 'pages' ? 'https' : 'dns',
        lapsed_at: null,
      });
      expect(await listed(domain)).toEqual(proved.body);
      expect((await verifyDomain(domain, org().key)).body).toEqual(proved.body);

      const shown = { org_domain: domain, domain_verified: true };
      expect((await verify(agentId)).body).toMatchObject(shown);
      expect((await profile(agentId)).body).toMatchObject(shown);
      const matched = await post('/match', { required_capabilities: [capability] });
      expect(matched.list).toMatchObject([{ agent_id: agentId, ...shown }]);
      const before = await get(`/agent/${agentId}?as_of=${encodeURIComponent(String(proved.body['requested_at']))}`);
      expect(before.body).toMatchObject({ org_domain: domain, domain_verified: false });
    },
  );

  it('holds for agents that get the domain later, live or in the sandbox, and for nobody else', async () => {
    const domain = freshDomain();
    await proveDomain(domain, org().key);
    const [live, draft, late] = [unique('live'), unique('draft'), unique('late')];
    expect(await register(live, { org_domain: domain }, org().key)).toMatchObject({ domain_verified: true });
    expect(await register(draft, {}, org().sandboxKey)).toMatchObject({ domain_verified: false });
    const moved = await post('/update', { agent_id: draft, org_domain: domain }, org().sandboxKey);
    expect(moved.body).toMatchObject({ org_domain: domain, domain_verified: true });
    expect((await get(`/org/agents/${draft}`, org().sandboxKey)).body).toMatchObject({ domain_verified: true });
    await register(late, {}, other().key);
    for (const refused of [
      await post('/register', { agent_id: unique('x'), org_domain: domain }, other().key),
      await post('/update', { agent_id: late, org_domain: domain }, other().key),
      await post('/register', { agent_id: unique('x'), org_domain: domain }, adminToken),
    ]) {
      expect(codeOf(refused)).toEqual([409, 'org_domain_taken']);
    }
    await post('/update', { agent_id: live, org_domain: null }, org().key);
    expect((await verify(live)).body).toMatchObject({ org_domain: null, domain_verified: false });
  });

  it('takes the domain from an agent of another organisation, which keeps everything else and sees it', async () => {
    const domain = freshDomain();
    const { agentId } = await join(other().key, { org_domain: domain, specialty: 'squatting' });
    const before = (await profile(agentId)).body;
    await proveDomain(domain, org().key);
    expect((await profile(agentId)).body).toEqual({ ...before, org_domain: null, last_active: before['last_active'] });
    const { list } = await get(`/org/agents/${agentId}/events`, other().key);
    const yielded = list.find(({ type }) => type === 'OrgDomainYielded');
    expect(yielded).toMatchObject({ data: { agent_id: agentId, domain }, actor: { kind: 'organisation', id: null } });
    expect(await register(unique('owner'), { org_domain: domain }, org().key)).toMatchObject({ domain_verified: true });
  });

  it('stands against another organisation while its token is there, and gives way when that is gone', async () => {
    const domain = freshDomain();
    await proveDomain(domain, org().key);
    const token = await tokenFor(domain, other().key);
    expect(token).not.toBe(await tokenFor(domain, org().key));
    // Each has published its own: the records of the first stay beside the page of the second.
    await publishProof('pages', domain, token);
    expect(codeOf(await verifyDomain(domain, other().key))).toEqual([409, 'domain_proved_by_other']);
    await dropDomain(domain);
    await publishProof('pages', domain, token);
    expect(codeOf(await verifyDomain(domain, other().key))).toEqual([200, 'proved']);
    expect(await listed(domain)).toMatchObject({ status: 'requested', method: null, proved_at: null });
    expect(await listed(domain, other().key)).toMatchObject({ status: 'proved', method: 'https' });
  });

  it("does not take another organisation's token, or that of another domain", async () => {
    const [domain, second] = [freshDomain(), freshDomain()];
    await tokenFor(domain, org().key);
    await publishProof('records', domain, await tokenFor(domain, other().key));
    expect(codeOf(await verifyDomain(domain, org().key))).toEqual([409, 'domain_proof_not_found']);
    await publishProof('records', domain, await tokenFor(second, org().key));
    expect(codeOf(await verifyDomain(domain, org().key))).toEqual([409, 'domain_proof_not_found']);
  });

  it('of two organisations at once: one has it', async () => {
    const domain = freshDomain();
    const keys = [org().key, other().key];
    const tokens = await Promise.all(keys.map((key) => tokenFor(domain, key)));
    await publishProof('records', domain, tokens[0]);
    await publishProof('pages', domain, tokens[1]);
    const outcomes = await Promise.all([...keys, ...keys].map((key) => served(() => verifyDomain(domain, key))));
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409]);
    const standings = await Promise.all(keys.map((key) => listed(domain, key)));
    expect(standings.map((one) => String(one?.['status'])).toSorted()).toEqual(['proved', 'requested']);
  });
});

describe('a proof is refused', () => {
  it.each(['co.uk', 'github.io', 'S3.amazonaws.com'])('for %s, under which anybody may register', async (suffix) => {
    expect(codeOf(await post('/org/domains', { domain: suffix }, org().key))).toEqual([422, 'invalid_domain']);
    expect(codeOf(await verifyDomain(suffix, org().key))).toEqual([422, 'invalid_domain']);
    const vouch = { org_name: org().name, reason: 'r' };
    expect(codeOf(await post(`/ops/domains/${suffix}/vouch`, vouch, adminToken))).toEqual([422, 'invalid_domain']);
  });

  it('without the production key', async () => {
    const domain = freshDomain();
    const asks = [
      () => post('/org/domains', { domain }),
      () => post('/org/domains', { domain }, org().sandboxKey),
      () => verifyDomain(domain, {}),
      () => verifyDomain(domain, org().sandboxKey),
      () => get('/org/domains'),
      () => post(`/ops/domains/${domain}/vouch`, { org_name: org().name, reason: 'r' }, org().key),
      () => post(`/ops/domains/${domain}/withdraw`, { reason: 'r' }, org().key),
    ];
    for (const ask of asks) expect((await ask()).status).toBe(401);
    expect((await get('/org/domains', org().sandboxKey)).status).toBe(200);
  });

  it('beyond a number of requests a minute, of one organisation only', async () => {
    const [busy, calm] = await Promise.all([createOrg(), createOrg()]);
    const domain = freshDomain();
    const statuses: number[] = [];
    for (let request = 0; request < 21; request += 1) {
      statuses.push((await post('/org/domains', { domain }, busy.key)).status);
    }
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
    expect(statuses[20]).toBe(429);
    expect((await post('/org/domains', { domain }, calm.key)).status).toBe(200);
  });
});

describe('the operator', () => {
  it('vouches for a domain and withdraws any proof, and both are shown', async () => {
    const domain = freshDomain();
    const agentId = unique('member');
    await register(agentId, { org_domain: domain }, org().key);
    await vouchFor(domain, org());
    expect(await listed(domain)).toMatchObject({ status: 'proved', method: 'operator', next_check_at: null });
    expect((await verify(agentId)).body).toMatchObject({ domain_verified: true });
    await publishProof('records', domain, await tokenFor(domain, other().key));
    expect(codeOf(await verifyDomain(domain, other().key))).toEqual([409, 'domain_proved_by_other']);
    const withdraw = () => post(`/ops/domains/${domain}/withdraw`, { reason: 'an error' }, adminToken);
    expect((await withdraw()).body).toMatchObject({ domain });
    expect(codeOf(await withdraw())).toEqual([404, 'domain_not_proved']);
    expect((await verify(agentId)).body).toMatchObject({ org_domain: domain, domain_verified: false });
    expect(codeOf(await verifyDomain(domain, other().key))).toEqual([200, 'proved']);
    expect((await verify(agentId)).body).toMatchObject({ org_domain: null });
  });

  it('vouches for organisations that exist', async () => {
    const vouch = { org_name: unique('nobody'), reason: 'r' };
    const answer = await post(`/ops/domains/${freshDomain()}/vouch`, vouch, adminToken);
    expect(codeOf(answer)).toEqual([404, 'organisation_not_found']);
  });
});
