/**
 * Bug: a power cut takes what nats-server had not synced, up to all of it. A client that repeats its request under its Idempotency-Key is then refused
 * because of its own first request (agent_id_taken, already_reviewed), or the work is done twice: an update undoes a later one, a review without a
 * transaction_id rates another exchange.
 * Method: JetStream's files are removed and nats-server is killed, after requests of each kind were answered; then each is repeated.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import type { EventLog } from '@agent-trust/event-log';
import { beforeAll, expect, it } from 'vitest';
import { bearer, callBody, type Http, type Member, textMessage, unique } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { openLogOf } from './support/raw-log.ts';
import { answerText } from './support/recording-agent.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

let registry: ChaosRegistry<'receiver'>;
let stack: Stack;
let http: Http;
let log: EventLog;
beforeAll(async () => {
  registry = await startChaosRegistry({ agents: { receiver: answerText } });
  ({ stack, http } = registry);
  log = await openLogOf(stack);
  return async () => {
    await log.close();
    await registry.stop();
  };
});

const loseState = async (): Promise<void> => {
  const folder = join(stack.dataDir, 'nats', 'jetstream');
  expect(readdirSync(folder).length).toBeGreaterThan(0);
  const restarts = stack.restartCount('nats-server');
  rmSync(folder, { recursive: true });
  stack.kill('nats-server', 'SIGKILL');
  await waitFor(() => stack.restartCount('nats-server') > restarts);
  await untilHealthy(stack);
};

const typesOf = async (stream: string): Promise<string[]> => (await log.readStream(stream)).map(({ type }) => type);
const keyed = (headers: Record<string, string> = {}) => ({ ...headers, 'idempotency-key': randomUUID() });

it('a request that is repeated after the state of the bus was lost has no second effect', async () => {
  const [caller] = registry.callers as [Member];
  const receiver = registry.agents.receiver.agentId;
  const agentId = unique('cut-off');
  const exchanges: string[] = [];
  for (const _ of ['older', 'newer']) {
    const { body } = await http.post('/call', callBody(caller, receiver), bearer(caller.key));
    exchanges.push(`exchange-${String(body['transaction_id'])}`);
  }
  const [older = '', newer = ''] = exchanges;
  const mark = unique('once');
  const review = { caller_agent_id: caller.agentId, receiver_agent_id: receiver, success: true, score: 9 };
  const requests = [
    { path: '/register', body: { agent_id: agentId, contact_email: 'owner@agent.example' }, headers: keyed() },
    { path: '/update', body: { agent_id: caller.agentId, specialty: 'first' }, headers: keyed(bearer(caller.key)) },
    { path: '/review', body: review, headers: keyed(bearer(caller.key)) },
    { path: '/call', body: callBody(caller, receiver, textMessage(mark)), headers: keyed(bearer(caller.key)) },
  ];
  const send = async ({ path, body, headers }: (typeof requests)[number]) => {
    const answer = await http.post(path, body, headers);
    return { status: answer.status, body: answer.body, headers: answer.headers };
  };
  const first = [];
  for (const request of requests) first.push(await untilServed(() => send(request)));
  expect(first.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  await http.post('/update', { agent_id: caller.agentId, specialty: 'later' }, bearer(caller.key));
  const updates = await typesOf(agentStream(caller.agentId));

  await loseState();
  const again = [];
  // The bus may fall silent once more after the first healthy report.
  for (const request of requests) again.push(await untilServed(() => send(request)));
  expect(again.map(({ status }) => status)).toEqual([201, 200, 200, 409]);
  const [registered, , reviewed, called] = again;
  expect(registered?.body['claim_link']).toBe(first[0]?.body['claim_link']);
  expect(await typesOf(agentStream(agentId))).toEqual(['AgentRegistered', 'ClaimIssued']);
  expect(await typesOf(agentStream(caller.agentId))).toEqual(updates);
  expect(again[1]?.body).toMatchObject({ specialty: 'later' });
  expect(reviewed?.body).toMatchObject({ agent_id: receiver });
  expect(await typesOf(newer)).toEqual(['ExchangeStarted', 'ExchangeCompleted', 'ExchangeReviewed']);
  expect(await typesOf(older)).toEqual(['ExchangeStarted', 'ExchangeCompleted']);
  const transactionId = first[3]?.body['transaction_id'];
  expect(called?.body).toMatchObject({ code: 'call_already_made', transaction_id: transactionId });
  expect(registry.agents.receiver.seen.get(mark)).toBe(1);
});
