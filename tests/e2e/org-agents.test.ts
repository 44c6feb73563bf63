import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  call,
  createOrg,
  endpointMark,
  gateways,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  profile,
  review,
} from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

const endpointUrl = `https://agent.example/${endpointMark}`;
const listed = async (key: HeaderMap, query = ''): Promise<[unknown[], string | null]> => {
  const { status, list, headers, text } = await get(`/org/agents${query}`, key);
  if (status !== 200) throw new Error(`GET /org/agents returned ${status}: ${text}`);
  return [list.map(({ agent_id: agentId }) => agentId), headers.get('x-total-count')];
};
const detail = (agentId: string, key: HeaderMap, gateway?: string): Promise<Answer> =>
  get(`/org/agents/${encodeURIComponent(agentId)}`, key, gateway);

let org: Org;
let rival: Org;
let live: Member;
let unroutable: Member;
let draft: Member;
let rivals: Member;
let rivalDraft: Member;
let independent: Member;
beforeAll(async () => {
  [org, rival] = [await createOrg(), await createOrg()];
  live = await join(org.key, { agent_id: unique('b live/✓?#%'), endpoint_url: endpointUrl });
  unroutable = await join(org.key, { agent_id: unique('a unroutable') });
  draft = await join(org.sandboxKey, { endpoint_url: endpointUrl });
  rivals = await join(rival.key, { endpoint_url: endpointUrl });
  rivalDraft = await join(rival.sandboxKey);
  independent = await join({}, { endpoint_url: endpointUrl });
});

describe.each(['/org/agents', '/org/agents/x', '/org/payments'])('GET %s', (path) => {
  it("is 401 without an organisation's key", async () => {
    for (const headers of [{}, live.auth]) {
      const answer = await get(path, headers);
      expect([answer.status, answer.body['code']]).toEqual([401, 'credential_required']);
    }
    const bearer = String(live.auth['authorization']).slice('Bearer '.length);
    for (const key of ['', 'x', bearer, `registry-org-sk-${'A'.repeat(43)}`]) {
      const answer = await get(path, { 'x-api-key': key });
      expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_api_key']);
    }
  });
});

describe('GET /org/agents', () => {
  it("lists the organisation's agents in the key's universe, routable or not, with endpoints", async () => {
    expect(await listed(org.key)).toEqual([[unroutable.agentId, live.agentId], '2']);
    expect(await listed(org.sandboxKey)).toEqual([[draft.agentId], '1']);
    expect(await listed(rival.key)).toEqual([[rivals.agentId], '1']);
    expect(await listed(rival.sandboxKey)).toEqual([[rivalDraft.agentId], '1']);
    expect(await listed((await createOrg()).key)).toEqual([[], '0']);
    const [, second] = (await get('/org/agents', org.key, gateways[1])).list;
    expect(second).toMatchObject({
      agent_id: live.agentId,
      is_sandbox: false,
      related_agent_id: null,
      trust_score: 75,
      verified: true,
      routing: { endpoint_url: endpointUrl },
    });
    const [sandboxed] = (await get('/org/agents', org.sandboxKey)).list;
    expect(sandboxed).toMatchObject({ is_sandbox: true, flags: expect.arrayContaining(['sandbox']) });
  });

  it('shows a new agent at once, on every gateway', async () => {
    const own = await createOrg();
    for (let count = 1; count <= 10; count += 1) {
      await post('/register', { agent_id: unique('agent') }, own.key, gateways[count % 2]);
      expect((await listed(own.key))[1]).toBe(String(count));
    }
  });

  it('lists all of them without a limit, and pages with one', async () => {
    const many = await createOrg();
    const ids = Array.from({ length: 230 }, (_, index) => `${unique('many')}-${String(index).padStart(3, '0')}`);
    for (let from = 0; from < ids.length; from += 23)
      await Promise.all(
        ids
          .slice(from, from + 23)
          .map((agentId) => served(() => post('/register', { agent_id: agentId }, many.sandboxKey))),
      );
    const sorted = ids.toSorted();
    expect(await listed(many.sandboxKey)).toEqual([sorted, '230']);
    expect(await listed(many.key)).toEqual([[], '0']);
    expect(await listed(many.sandboxKey, '?limit=7&offset=220')).toEqual([sorted.slice(220, 227), '230']);
    expect(await listed(many.sandboxKey, '?offset=228')).toEqual([sorted.slice(228), '230']);
    expect(await listed(many.sandboxKey, '?offset=500')).toEqual([[], '230']);
    const walked: unknown[] = [];
    let next: string | undefined = '/org/agents?limit=100';
    while (next !== undefined) {
      const page: Answer = await get(next, many.sandboxKey);
      walked.push(...page.list.map(({ agent_id: agentId }) => agentId));
      const link = /<([^>]*)>; rel="next"/u.exec(page.headers.get('link') ?? '')?.[1];
      next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
    }
    expect(walked).toEqual(sorted);
    const head = await ask('HEAD', '/org/agents', { headers: many.sandboxKey });
    expect([head.status, head.headers.get('x-total-count')]).toEqual([200, '230']);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=', 'offset=-1', 'limit=1&limit=2'])(
    '?%s is 422',
    async (query) => {
      expect((await get(`/org/agents?${query}`, org.key)).status).toBe(422);
    },
  );
});

describe('GET /org/agents/{agent_id}', () => {
  it('is the profile with endpoint, universe and pair', async () => {
    const endpoint = await startRecordingAgent();
    const receiver = await join(org.key, { endpoint_url: endpoint.url });
    const caller = await join(rival.key);
    expect((await call(caller, receiver.agentId, textMessage('x'))).status).toBe(200);
    expect((await review(caller, receiver.agentId)).status).toBe(200);
    await endpoint.stop();
    for (const gateway of gateways) {
      const own = await detail(receiver.agentId, org.key, gateway);
      const open = await profile(receiver.agentId);
      const { routing, is_sandbox, related_agent_id, ...rest } = own.body;
      const { routing: openRouting, ...openRest } = open.body;
      expect(rest).toEqual(openRest);
      expect(routing).toEqual({ ...(openRouting as object), endpoint_url: endpoint.url });
      expect([is_sandbox, related_agent_id]).toEqual([false, null]);
      expect(own.body['ratings_received']).toHaveLength(1);
    }
    expect((await detail(live.agentId, org.key)).body).toMatchObject({ agent_id: live.agentId });
    expect((await detail(draft.agentId, org.sandboxKey)).body).toMatchObject({ is_sandbox: true });
  });

  // Bug: a text, a header or a length reveals the agents of other organisations.
  it("is the same 404 for an unknown agent, another organisation's agent, and an agent in the other universe", async () => {
    const hidden = [
      ...[rivals, rivalDraft, independent, draft].map(({ agentId }) => [agentId, org.key] as const),
      ...[rivals, rivalDraft, independent, live, unroutable].map(({ agentId }) => [agentId, org.sandboxKey] as const),
    ];
    const bare = ({ status, body, headers }: Answer) => ({
      status,
      body: { ...body, request_id: '' },
      headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
    });
    const unknown = bare(await detail('nobody at all', org.key));
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'agent_not_found' }]);
    for (const [agentId, key] of hidden) expect(bare(await detail(agentId, key))).toEqual(unknown);
  });

  it('an id that is too long is 422', async () => {
    expect((await detail('a'.repeat(129), org.key)).status).toBe(422);
  });
});
