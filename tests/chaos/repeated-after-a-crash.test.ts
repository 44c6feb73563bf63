/**
 * Bug: a gateway dies after the work is done and before its answer is sent or kept. Then a client that repeats the request is refused because
 * of its own first request (agent_id_taken, already_reviewed), or the work is done twice; and the claim link is lost, because only its hash
 * is stored.
 * Method: the read model is stopped, so that the gateway waits for it with the events of four requests in the log; the gateway is killed at
 * that point, once. Each request is repeated on the other gateway, all at the same time, because each waits for a lease to expire.
 */
import { randomUUID } from 'node:crypto';
import { agentStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import type { EventLog } from '@agent-trust/event-log';
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
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

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
    // The gateway must wait until all four requests are that far, and the agent is in this process. Both make the leases longer.
    env: { GATEWAYS: '2', READ_MODEL_WAIT_MS: '15s', CALL_TIMEOUT_MS: '8s' },
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

/** The longest lease, that of a call, is the timeouts of gateway, proxy and agent together: 90 s. A busy machine may notice its end late. */
const leaseMsMax = 240_000;

/** Repeats a request on a gateway for as long as the answer is that the first one may still be running. */
const untilDecided = async (http: Http, { path, body, headers }: Request): Promise<Answer> => {
  const send = (): Promise<Answer> => untilServed(() => http.post(path, body, headers));
  let again = await send();
  // The dead gateway counts as working until its lease expires.
  await waitFor(
    async () => {
      if (again.status !== 409 || again.body['code'] !== 'idempotency_key_in_use') return true;
      expect(again.headers.get('retry-after')).toBe('1');
      again = await send();
      return false;
    },
    { timeoutMs: leaseMsMax },
  );
  return again;
};

/** Sends a request to the gateway that is going to be killed, and resolves when the log has the resulting events. */
const begin = async (request: Request, isWritten: () => Promise<boolean>): Promise<{ lost: Promise<string> }> => {
  const lost = doomed.post(request.path, request.body, request.headers).then(
    (answer) => `answered ${answer.status}`,
    () => 'no answer',
  );
  await waitFor(isWritten, { description: `the events of ${request.path}` });
  return { lost };
};

const typesOf = async (stream: string): Promise<string[]> => (await log.readStream(stream)).map(({ type }) => type);
const keyed = (headers: Record<string, string>) => ({ ...headers, 'idempotency-key': randomUUID() });

it('each request is carried out once, and its answer is not lost', async () => {
  const agentId = unique('crashed');
  const registration: Request = {
    path: '/register',
    body: { agent_id: agentId, contact_email: 'owner@agent.example' },
    headers: keyed({}),
  };
  const update: Request = {
    path: '/update',
    body: { agent_id: caller.agentId, specialty: 'crashes' },
    headers: keyed(bearer(caller.key)),
  };
  const review: Request = {
    path: '/review',
    body: { caller_agent_id: caller.agentId, receiver_agent_id: receiver, success: true, score: 9 },
    headers: keyed(bearer(caller.key)),
  };
  const mark = unique('lost');
  const call: Request = {
    path: '/call',
    body: callBody(caller, receiver, textMessage(mark)),
    headers: keyed(bearer(caller.key)),
  };
  const exchanges: string[] = [];
  for (const _ of ['older', 'newer']) {
    const answer = await other.post('/call', callBody(caller, receiver), bearer(caller.key));
    exchanges.push(`exchange-${String(answer.body['transaction_id'])}`);
  }
  const [older = '', newer = ''] = exchanges;
  const updated = agentStream(caller.agentId);
  const updatedBefore = (await typesOf(updated)).length;
  const completed = async (): Promise<number> =>
    (await log.readAll({ after: null, countMax: 10_000 })).filter(({ type }) => type === 'ExchangeCompleted').length;
  const completedBefore = await completed();

  await readModels.query('BEGIN');
  await readModels.query('SELECT position FROM read_models.projection_checkpoint FOR UPDATE');
  const begun = await Promise.all([
    begin(registration, async () => (await typesOf(agentStream(agentId))).length > 0),
    begin(update, async () => (await typesOf(updated)).length > updatedBefore),
    begin(review, async () => (await typesOf(newer)).includes('ExchangeReviewed')),
    begin(call, async () => agent.answered.has(mark) && (await completed()) > completedBefore),
  ]);
  stack.kill('gateway', 'SIGKILL');
  expect(await Promise.all(begun.map(({ lost }) => lost))).toEqual(begun.map(() => 'no answer'));
  await readModels.query('ROLLBACK');

  const requests = [registration, update, review, call];
  const again = await Promise.all(requests.map((request) => untilDecided(other, request)));
  await untilHealthy(stack);
  const onceMore = await Promise.all(
    requests.map(({ path, body, headers }) => untilServed(() => doomed.post(path, body, headers))),
  );
  expect(again.map(({ status }) => status)).toEqual([201, 200, 200, 409]);
  const [registered = {}, changed, reviewed, called = {}] = again.map(({ body }) => body);

  // The registration happened once, and its claim link is not lost.
  expect(registered).toMatchObject({ status: 'registered', agent_id: agentId });
  expect(await typesOf(agentStream(agentId))).toEqual(['AgentRegistered', 'ClaimIssued']);
  expect(await claim(other, registered['claim_link'])).toMatch(/^registry-agent-sk-/u);

  // The update was written once.
  expect(changed).toMatchObject({ specialty: 'crashes' });
  expect((await typesOf(updated)).slice(updatedBefore)).toEqual(['ConfigurationChanged']);

  // A review without a transaction_id applies to the same exchange as the first time.
  expect(reviewed).toMatchObject({ agent_id: receiver });
  expect((await typesOf(newer)).filter((type) => type === 'ExchangeReviewed')).toHaveLength(1);
  expect(await typesOf(older)).not.toContain('ExchangeReviewed');

  // The call was made once, and the answer names its exchange although the agent's answer is lost.
  expect(called).toMatchObject({ code: 'call_already_made', outcome: 'completed', status_code: 200 });
  const transaction = String(called['transaction_id']);
  expect(await typesOf(`exchange-${transaction}`)).toEqual(['ExchangeStarted', 'ExchangeCompleted']);
  expect(agent.seen.get(mark)).toBe(1);

  for (const [index, answer] of onceMore.entries()) {
    const { request_id: _, ...body } = answer.body;
    expect({ status: answer.status, body: { ...body, request_id: again[index]?.body['request_id'] } }).toEqual({
      status: again[index]?.status,
      body: again[index]?.body,
    });
  }
}, 600_000);
