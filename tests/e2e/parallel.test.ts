/**
 * Bug: two requests both check, both find the place free, and both take it. Method: many simultaneous requests, spread over both gateways;
 * the number of successes is compared with the state of the registry afterwards.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  call,
  createOrg,
  gateways,
  get,
  join,
  type Member,
  type Org,
  post,
  redeem,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const gatewayOf = (index: number): string => gateways[index % 2] ?? '';
const countOf = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status < 300 ? String(status) : `${status} ${String(body['code'])}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

describe('exactly one of many at once', () => {
  it('fifty registrations of one agent_id: one 201, and the registered agent is that one', async () => {
    const agent_id = unique('raced');
    const answers = await Promise.all(
      times(50, (index) =>
        served(() =>
          post(
            '/register',
            { agent_id, contact_email: 'a@b.example', specialty: `number ${index}` },
            {},
            gatewayOf(index),
          ),
        ),
      ),
    );
    expect(countOf(answers)).toEqual({ '201': 1, '409 agent_id_taken': 49 });
    const winner = answers.find(({ status }) => status === 201);
    expect((await verify(agent_id)).body['specialty']).toBe(winner?.body['specialty']);
    expect((await redeem(winner?.body['claim_link'])).status).toBe(200);
  });

  it('fifty registrations of one agent_id into two universes: one 201', async () => {
    const agent_id = unique('raced');
    const credentials = [org.key, org.sandboxKey, adminToken];
    const answers = await Promise.all(
      times(50, (index) =>
        served(() => post('/register', { agent_id }, credentials[index % 3] ?? {}, gatewayOf(index))),
      ),
    );
    expect(countOf(answers)).toEqual({ '201': 1, '409 agent_id_taken': 49 });
  });

  it('thirty registrations with one org_domain: one 201, and the others do not exist', async () => {
    const org_domain = `${unique('raced')}.example`;
    const ids = times(30, () => unique('agent'));
    const answers = await Promise.all(
      ids.map((agent_id, index) =>
        served(() =>
          post('/register', { agent_id, org_domain }, index % 2 === 0 ? org.key : adminToken, gatewayOf(index)),
        ),
      ),
    );
    expect(countOf(answers)).toEqual({ '201': 1, '409 org_domain_taken': 29 });
    const found = await Promise.all(ids.map((agentId) => verify(agentId)));
    expect(found.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('fifty redemptions of one claim token: one 200, whose key works', async () => {
    const agent_id = unique('raced');
    const { body } = await post('/register', { agent_id, contact_email: 'a@b.example' });
    const answers = await Promise.all(times(50, (index) => served(() => redeem(body['claim_link'], gatewayOf(index)))));
    expect(countOf(answers)).toEqual({ '200': 1, '400 invalid_claim_token': 49 });
    const key = answers.find(({ status }) => status === 200)?.body['agent_key'];
    const member: Member = { agentId: agent_id, auth: { authorization: `Bearer ${String(key)}` } };
    expect((await call(member, 'nobody at all', textMessage('x'))).status).toBe(404);
  });
});

describe('no request of many at once is lost', () => {
  let endpoint: RecordingAgent;
  beforeAll(async () => {
    endpoint = await startRecordingAgent();
    return () => endpoint.stop();
  });

  it('two hundred calls of one agent, from several callers over both gateways, are two hundred transactions', async () => {
    const target = await join({}, { endpoint_url: endpoint.url });
    const callers = await Promise.all(times(4, () => join(org.key)));
    const call = (index: number) => {
      const caller = callers[index % callers.length] as Member;
      return served(() =>
        post(
          '/call',
          { caller_agent_id: caller.agentId, agent_id: target.agentId, message: textMessage(`number ${index}`) },
          caller.auth,
          gatewayOf(index >> 2),
        ),
      );
    };
    // The most that one proxy carries to one agent at once, because it may get all of them.
    const answers = (
      await Promise.all(
        times(60, async (first) => {
          const answered: Awaited<ReturnType<typeof call>>[] = [];
          for (let index = first; index < 200; index += 60) answered.push(await call(index));
          return answered;
        }),
      )
    ).flat();
    expect(countOf(answers)).toEqual({ '200': 200 });
    expect(new Set(answers.map(({ body }) => body['transaction_id']))).toHaveProperty('size', 200);
    expect((await verify(target.agentId)).body['transaction_count']).toBe(200);
    expect(endpoint.requests()).toBe(200);
  });

  it('a hundred registrations at once are all there, and each counts once', async () => {
    const sandboxed = await createOrg();
    const answers = await Promise.all(
      times(100, (index) =>
        served(() =>
          post(
            '/register',
            { agent_id: unique('crowd'), endpoint_url: endpoint.url },
            sandboxed.sandboxKey,
            gatewayOf(index),
          ),
        ),
      ),
    );
    expect(countOf(answers)).toEqual({ '201': 100 });
    expect((await get('/registry?limit=1', sandboxed.sandboxKey)).headers.get('x-total-count')).toBe('100');
  });
});
