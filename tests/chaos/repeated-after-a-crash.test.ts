/**
 * The bug: a gateway dies when the work is done and before its answer is sent or kept. Whoever repeats the request is then refused by what
 * he has done himself (agent_id_taken, already_reviewed), or does it again; and his claim link is lost, since only its hash is stored.
 * The method: the read model is kept from moving, so that the gateway waits for it with its events in the log; it is killed there; the
 * request is repeated on the other gateway.
 */
import { randomUUID } from 'node:crypto';
import { agentStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import type { EventLog } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import {
  type Answer,
  bearer,
  callBody,
  claim,
  type Http,
  httpTo,
  type Member,
  textMessage,
  unique,
} from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { openLogOf } from './support/raw-log.ts';
import { answerText, type RecordingAgent } from './support/recording-agent.ts';

let stack: Stack;
let log: EventLog;
let readModels: pg.Client;
let agent: RecordingAgent;
let doomed: Http;
let other: Http;
let caller: Member;
let receiver: string;

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { GATEWAYS: '2', READ_MODEL_WAIT_MS: '5s', CALL_TIMEOUT_MS: '3s' },
    agents: { receiver: answerText },
  });
  ({ stack } = registry);
  agent = registry.agents.receiver;
  receiver = registry.agents.receiver.agentId;
  [caller] = registry.callers as [Member];
  log = await openLogOf(stack);
  readModels = new pg.Client({ connectionString: stack.environment['DATABASE_URL'] });
  await readModels.connect();
  const [first = '', second = ''] = stack.urls;
  [doomed, other] = [httpTo(first), httpTo(second)];
  return async () => {
    await readModels.end();
    await log.close();
    await registry.stop();
  };
});

type Request = { path: string; body: Record<string, unknown>; headers: Record<string, string> };
type Repeated = { again: Answer; newTypes: string[]; onceMore: Answer };

/** The longest lease, that of a call: its gateway's waits, its proxy's, and the agent's time. */
const leaseMsMax = 110_000;

/** Repeats a request on a gateway for as long as it is told that the first one may be at work still. */
const untilDecided = async (http: Http, { path, body, headers }: Request): Promise<Answer> => {
  let again = await http.post(path, body, headers);
  // Until its lease is over the dead gateway is thought to be at work.
  await waitFor(
    async () => {
      if (again.status !== 409 || again.body['code'] !== 'idempotency_key_in_use') return true;
      expect(again.headers.get('retry-after')).toBe('1');
      again = await http.post(path, body, headers);
      return false;
    },
    { timeoutMs: leaseMsMax },
  );
  return again;
};

/** Sends a request, kills its gateway when `stream` has got more events, and repeats the request on the other gateway until it is answered. */
const repeatAfterCrash = async (stream: string, { path, body, headers }: Request): Promise<Repeated> => {
  const keyed = { ...headers, 'idempotency-key': randomUUID() };
  const before = (await log.readStream(stream)).length;
  await readModels.query('BEGIN');
  await readModels.query('SELECT position FROM read_models.projection_checkpoint FOR UPDATE');
  const lost = doomed.post(path, body, keyed).then(
    (answer) => `answered ${answer.status}`,
    () => 'no answer',
  );
  await waitFor(async () => (await log.readStream(stream)).length > before);
  stack.kill('gateway', 'SIGKILL');
  expect(await lost).toBe('no answer');
  await readModels.query('ROLLBACK');
  const again = await untilDecided(other, { path, body, headers: keyed });
  const newTypes = (await log.readStream(stream)).slice(before).map(({ type }) => type);
  await untilHealthy(stack);
  return { again, newTypes, onceMore: await doomed.post(path, body, keyed) };
};

it('a registration is there once, and its claim link is not lost', async () => {
  const agentId = unique('crashed');
  const body = { agent_id: agentId, contact_email: 'owner@agent.example' };
  const { again, newTypes, onceMore } = await repeatAfterCrash(agentStream(agentId), {
    path: '/register',
    body,
    headers: {},
  });
  expect([again.status, again.body['status'], again.body['agent_id']]).toEqual([201, 'registered', agentId]);
  expect(newTypes).toEqual(['AgentRegistered', 'ClaimIssued']);
  expect(onceMore.body).toEqual(again.body);
  expect(await claim(other, again.body['claim_link'])).toMatch(/^registry-agent-sk-/u);
});

it('an update is written once', async () => {
  const { again, newTypes, onceMore } = await repeatAfterCrash(agentStream(caller.agentId), {
    path: '/update',
    body: { agent_id: caller.agentId, specialty: 'crashes' },
    headers: bearer(caller.key),
  });
  expect([again.status, again.body['specialty']]).toEqual([200, 'crashes']);
  expect(newTypes).toEqual(['ConfigurationChanged']);
  expect(onceMore.body).toEqual(again.body);
});

it('a review that names no exchange is of the one that it was of at first', async () => {
  const exchanges: string[] = [];
  for (const _ of ['older', 'newer']) {
    const answer = await other.post('/call', callBody(caller, receiver), bearer(caller.key));
    exchanges.push(String(answer.body['transaction_id']));
  }
  const [older = '', newer = ''] = exchanges;
  const { again, newTypes, onceMore } = await repeatAfterCrash(`exchange-${newer}`, {
    path: '/review',
    body: { caller_agent_id: caller.agentId, receiver_agent_id: receiver, success: true, score: 9 },
    headers: bearer(caller.key),
  });
  expect([again.status, again.body['agent_id']]).toEqual([200, receiver]);
  expect(newTypes).toEqual(['ExchangeReviewed']);
  expect((await log.readStream(`exchange-${older}`)).map(({ type }) => type)).not.toContain('ExchangeReviewed');
  expect(onceMore.body).toEqual(again.body);
});

it('a call is made once, and its exchange is named where its answer is lost', async () => {
  const mark = unique('lost');
  const request: Request = {
    path: '/call',
    body: callBody(caller, receiver, textMessage(mark)),
    headers: { ...bearer(caller.key), 'idempotency-key': randomUUID() },
  };
  await readModels.query('BEGIN');
  await readModels.query('SELECT position FROM read_models.projection_checkpoint FOR UPDATE');
  const lost = doomed.post(request.path, request.body, request.headers).then(
    (answer) => `answered ${answer.status}`,
    () => 'no answer',
  );
  await waitFor(() => agent.answered.has(mark), { description: 'the answer of the agent' });
  const completed = async (): Promise<number> =>
    (await log.readAll({ after: null, countMax: 10_000 })).filter(({ type }) => type === 'ExchangeCompleted').length;
  await waitFor(async () => (await completed()) === 3, { description: 'the end of the exchange' });
  stack.kill('gateway', 'SIGKILL');
  expect(await lost).toBe('no answer');
  await readModels.query('ROLLBACK');
  const again = await untilDecided(other, request);
  expect([again.status, again.body]).toMatchObject([
    409,
    { code: 'call_already_made', outcome: 'completed', status_code: 200 },
  ]);
  const transaction = String(again.body['transaction_id']);
  expect((await log.readStream(`exchange-${transaction}`)).map(({ type }) => type)).toEqual([
    'ExchangeStarted',
    'ExchangeCompleted',
  ]);
  await untilHealthy(stack);
  expect((await doomed.post(request.path, request.body, request.headers)).body).toMatchObject({
    code: 'call_already_made',
    transaction_id: transaction,
  });
  expect(agent.seen.get(mark)).toBe(1);
}, 180_000);
