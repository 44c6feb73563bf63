/**
 * Bug: an answer is lost, the client repeats the request, and the work is done twice or the repetition is refused because of the first
 * request. Method: every request with an Idempotency-Key is repeated over two gateways, in sequence and concurrently; the event log shows
 * what was done.
 */
import { randomUUID } from 'node:crypto';
import { agentStream } from '@agent-trust/contracts';
import { openEventLog } from '@agent-trust/event-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  call,
  createOrg,
  faultLocations,
  gateways,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  redeem,
  stack,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

let org: Org;
let endpoint: RecordingAgent;
beforeAll(async () => {
  org = await createOrg();
  endpoint = await startRecordingAgent();
});
afterAll(() => endpoint.stop());

const under = (key: string, credential: HeaderMap = {}): HeaderMap => ({ 'idempotency-key': key, ...credential });
const seen = ({ status, text }: Answer): string => `${status} ${text}`;
const codeOf = ({ status, body }: Answer) => [status, body['code']];
const newAgent = (fields: Body = {}): Body => ({
  agent_id: unique('agent'),
  contact_email: 'owner@agent.example',
  ...fields,
});

const eventsOf = async (agentId: string): Promise<string[]> => {
  const log = await openEventLog(stack.eventLogUrl, { applicationName: 'end-to-end tests' });
  try {
    return (await log.readStream(agentStream(agentId))).map(({ type }) => type);
  } finally {
    await log.close();
  }
};

describe('POST /register', () => {
  it('repeated on both gateways registers one agent, and every answer equals the first, including the claim link', async () => {
    const body = newAgent();
    const key = randomUUID();
    const answers: Answer[] = [];
    for (const gateway of [...gateways, ...gateways]) answers.push(await post('/register', body, under(key), gateway));
    expect(answers[0]?.status).toBe(201);
    expect(new Set(answers.map(seen)).size).toBe(1);
    expect(await eventsOf(String(body['agent_id']))).toEqual(['AgentRegistered', 'ClaimIssued']);
    expect((await redeem(answers[3]?.body['claim_link'], gateways[1])).status).toBe(200);
    expect((await redeem(answers[0]?.body['claim_link'], gateways[0])).status).toBe(400);
  });

  it('twenty at once over two gateways: one agent, twenty equal answers', async () => {
    const body = newAgent();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post('/register', body, under(key), gateways[index % 2])),
    );
    expect(answers[0]?.status).toBe(201);
    expect(new Set(answers.map(seen)).size).toBe(1);
    expect(await eventsOf(String(body['agent_id']))).toEqual(['AgentRegistered', 'ClaimIssued']);
  });

  it('without a key is a second request, and the agent_id is taken', async () => {
    const body = newAgent();
    expect((await post('/register', body)).status).toBe(201);
    expect(codeOf(await post('/register', body))).toEqual([409, 'agent_id_taken']);
    expect(codeOf(await post('/register', body, under(randomUUID())))).toEqual([409, 'agent_id_taken']);
  });

  it('with another body under the same key is 422 on either gateway, and registers no agent', async () => {
    const body = newAgent();
    const key = randomUUID();
    expect((await post('/register', body, under(key, org.key))).status).toBe(201);
    const other = newAgent();
    for (const gateway of gateways) {
      const answer = await post('/register', other, under(key, org.key), gateway);
      expect(codeOf(answer)).toEqual([422, 'idempotency_key_reused']);
      expect(faultLocations(answer)).toEqual(['header.idempotency-key']);
    }
    expect(codeOf(await post('/register', { ...body, specialty: 'x' }, under(key, org.key)))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect((await verify(String(other['agent_id']))).status).toBe(404);
  });

  it('under the same key of another credential is another request', async () => {
    const key = randomUUID();
    const rival = await createOrg();
    const credentials = [org.key, org.sandboxKey, rival.key, adminToken, {}];
    for (const credential of credentials)
      expect((await post('/register', newAgent(), under(key, credential))).status).toBe(201);
    // Without a credential the key is scoped to the agent_id.
    expect((await post('/register', newAgent(), under(key))).status).toBe(201);
  });

  it('leaves the key free after a refusal, for the same body and for a corrected one', async () => {
    const key = randomUUID();
    const weights = [
      { name: 'translate', weight: 3 },
      { name: 'ocr', weight: 3 },
    ];
    const body = newAgent({ capabilities: weights });
    for (const gateway of gateways) {
      expect(codeOf(await post('/register', body, under(key), gateway))).toEqual([400, 'capability_weights_exceeded']);
    }
    expect((await post('/register', { ...body, capabilities: [] }, under(key))).status).toBe(201);
  });

  it('leaves the key free after a question, for the answers', async () => {
    const key = randomUUID();
    // Names learned in a sandbox stay there.
    const register = (more: Body, gateway?: string) =>
      post('/register', { ...body, ...more }, under(key, org.sandboxKey), gateway);
    const body = newAgent({ capabilities: ['Detect fraud in payments'] });
    const question = await register({});
    expect(question.status).toBe(202);
    expect(seen(await register({}, gateways[1]))).toBe(seen(question));
    const matches = question.body['candidate_matches'] as Record<string, string>;
    const confirmations = Object.fromEntries(Object.keys(matches).map((name) => [name, true]));
    const answers = { capability_confirmations: confirmations, candidate_matches: matches };
    const registered = await register(answers, gateways[1]);
    expect([registered.status, seen(await register(answers))]).toEqual([201, seen(registered)]);
    expect(codeOf(await register({}))).toEqual([422, 'idempotency_key_reused']);
  });

  it.each(['', 'k'.repeat(129)])('with the key %j is 422', async (key) => {
    expect(codeOf(await post('/register', newAgent(), under(key)))).toEqual([422, 'validation_failed']);
  });

  it('accepts a key of 128 characters, and of other alphabets', async () => {
    for (const key of ['k'.repeat(128), Buffer.from('ключ 🔑', 'utf8').toString('latin1')]) {
      const body = newAgent();
      const [first, again] = [await post('/register', body, under(key)), await post('/register', body, under(key))];
      expect([first.status, seen(again)]).toEqual([201, seen(first)]);
    }
  });

  it('reports an invalid body and a wrong credential before it checks the key', async () => {
    const key = randomUUID();
    const body = newAgent();
    expect((await post('/register', body, under(key, org.key))).status).toBe(201);
    expect(codeOf(await post('/register', body, under(key, { 'x-api-key': 'nonsense' })))).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect(codeOf(await post('/register', {}, under(key, org.key)))).toEqual([422, 'validation_failed']);
    expect(codeOf(await ask('POST', '/register', { body: '{', headers: under(key, org.key) }))).toEqual([
      422,
      'malformed_json',
    ]);
  });
});

describe('POST /update', () => {
  const update = (agentId: string, fields: Body, headers: HeaderMap, gateway?: string) =>
    post('/update', { agent_id: agentId, ...fields }, headers, gateway);

  it('repeated is written once: it does not undo a later change, and its answer is still the first', async () => {
    const { agentId, auth } = await join(org.key);
    const key = randomUUID();
    const first = await update(agentId, { specialty: 'first' }, under(key, auth));
    expect((await update(agentId, { specialty: 'second' }, auth)).status).toBe(200);
    for (const gateway of gateways)
      expect(seen(await update(agentId, { specialty: 'first' }, under(key, auth), gateway))).toBe(seen(first));
    expect((await verify(agentId)).body['specialty']).toBe('second');
    expect((await eventsOf(agentId)).filter((type) => type === 'ConfigurationChanged')).toHaveLength(2);
  });

  it('with another body is 422; with another credential, or both credentials together, another request', async () => {
    const { agentId, auth } = await join(org.key);
    const key = randomUUID();
    expect((await update(agentId, { specialty: 'a' }, under(key, auth))).status).toBe(200);
    expect(codeOf(await update(agentId, { specialty: 'b' }, under(key, auth)))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect((await update(agentId, { specialty: 'b' }, under(key, org.key))).body['specialty']).toBe('b');
    expect((await update(agentId, { specialty: 'c' }, under(key, { ...org.key, ...auth }))).body['specialty']).toBe(
      'c',
    );
    expect(codeOf(await update(agentId, { specialty: 'd' }, under(key)))).toEqual([401, 'credential_required']);
  });

  it('twenty at once over two gateways: one change, twenty equal answers', async () => {
    const { agentId, auth } = await join(org.key);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        update(agentId, { specialty: 'x' }, under(key, auth), gateways[index % 2]),
      ),
    );
    expect(answers[0]?.status).toBe(200);
    expect(new Set(answers.map(seen)).size).toBe(1);
    expect((await eventsOf(agentId)).filter((type) => type === 'ConfigurationChanged')).toHaveLength(1);
  });

  it('returns the first answer to a credential whose key was replaced since', async () => {
    const { agentId, auth } = await join(org.key);
    const key = randomUUID();
    const first = await update(agentId, { specialty: 'kept' }, under(key, auth));
    const rotated = await post('/rotate', { agent_id: agentId }, { ...adminToken, 'x-forwarded-for': '10.99.1.1' });
    const renewed = { authorization: `Bearer ${String((await redeem(rotated.body['claim_link'])).body['agent_key'])}` };
    expect(codeOf(await update(agentId, { specialty: 'kept' }, under(key, auth)))).toEqual([401, 'invalid_credential']);
    expect(seen(await update(agentId, { specialty: 'kept' }, under(key, renewed)))).toBe(seen(first));
  });
});

describe('POST /review', () => {
  let caller: Member;
  let receiver: Member;
  beforeAll(async () => {
    caller = await join(org.key);
    receiver = await join({}, { endpoint_url: endpoint.url });
  });

  const exchange = async (): Promise<string> => {
    const answer = await call(caller, receiver.agentId, textMessage('hello'));
    expect(answer.status).toBe(200);
    return String(answer.body['transaction_id']);
  };
  const review = (headers: HeaderMap, more: Body = {}, gateway?: string) =>
    post(
      '/review',
      { caller_agent_id: caller.agentId, receiver_agent_id: receiver.agentId, success: true, score: 9, ...more },
      { ...caller.auth, ...headers },
      gateway,
    );
  const reviewed = async (): Promise<number> => {
    const { body } = await ask('GET', `/agent/${encodeURIComponent(receiver.agentId)}`);
    return (body['ratings_received'] as unknown[]).length;
  };

  it('without a transaction_id, repeated, reviews one exchange and not also the one before', async () => {
    await exchange();
    await exchange();
    const before = await reviewed();
    const key = randomUUID();
    const first = await review(under(key));
    expect(first.status).toBe(200);
    for (const gateway of gateways) expect(seen(await review(under(key), {}, gateway))).toBe(seen(first));
    expect(await reviewed()).toBe(before + 1);
    expect(codeOf(await review(under(key), { score: 8 }))).toEqual([422, 'idempotency_key_reused']);
    // Under a new key it is a new review, of the exchange before; after that none is left.
    expect((await review(under(randomUUID()))).status).toBe(200);
    expect(codeOf(await review(under(randomUUID())))).toEqual([409, 'no_unreviewed_exchange']);
    expect(await reviewed()).toBe(before + 2);
  });

  it('with a transaction_id, twenty at once over two gateways: one review, twenty equal answers', async () => {
    const transaction_id = await exchange();
    const before = await reviewed();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => review(under(key), { transaction_id }, gateways[index % 2])),
    );
    expect(answers[0]?.status).toBe(200);
    expect(new Set(answers.map(seen)).size).toBe(1);
    expect(await reviewed()).toBe(before + 1);
    expect(codeOf(await review({}, { transaction_id }))).toEqual([409, 'already_reviewed']);
  });
});

describe('POST /call', () => {
  let caller: Member;
  let receiver: Member;
  beforeAll(async () => {
    caller = await join(org.key);
    receiver = await join({}, { endpoint_url: endpoint.url });
  });
  const callOn = (gateway: string | undefined, key: string, message: unknown, agentId = receiver.agentId) =>
    post(
      '/call',
      { caller_agent_id: caller.agentId, agent_id: agentId, message },
      { ...caller.auth, ...under(key) },
      gateway,
    );

  it('repeated on both gateways, in sequence and at once, contacts the agent once, and every answer equals the first', async () => {
    const key = randomUUID();
    const message = textMessage(unique('call'));
    const before = endpoint.received.length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => callOn(gateways[index % 2], key, message)),
    );
    for (const gateway of gateways) answers.push(await callOn(gateway, key, message));
    expect(answers[0]?.status).toBe(200);
    expect(new Set(answers.map(seen)).size).toBe(1);
    expect(endpoint.received.length).toBe(before + 1);
    expect(codeOf(await callOn(gateways[1], key, textMessage('other')))).toEqual([422, 'idempotency_key_reused']);
    expect(endpoint.received.length).toBe(before + 1);
  });

  it('as a stream, or with an answer too long to keep, returns the outcome of the first call', async () => {
    const long = await startRecordingAgent((_request, response) => void response.end('x'.repeat(100_000)));
    try {
      const { agentId } = await join({}, { endpoint_url: long.url });
      for (const kind of ['message/send', 'message/stream'] as const) {
        const key = randomUUID();
        const message = textMessage(kind, kind);
        const first = await callOn(gateways[0], key, message, agentId);
        expect(first.status).toBe(200);
        const transaction = first.body['transaction_id'] ?? first.headers.get('x-registry-transaction-id');
        const again = await callOn(gateways[1], key, message, agentId);
        expect([again.status, again.body]).toMatchObject([
          409,
          { code: 'call_already_made', transaction_id: transaction, outcome: 'completed', status_code: 200 },
        ]);
      }
      expect(long.received.length).toBe(2);
    } finally {
      await long.stop();
    }
  });
});
