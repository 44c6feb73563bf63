/**
 * Bug: a change makes every request ask the database or the bus once more. No test of behaviour notices it, and a benchmark only on a quiet machine.
 * Method: a system whose database and bus count their work serves requests one after another; what it does without requests is subtracted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountedStack, type Counts, reportedAfterMs, startCountedStack } from '../support/counted-stack.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  type Http,
  httpTo,
  orgKey,
  registerAgent,
  unique,
} from '../support/registry.ts';

type Ceiling = Omit<Counts, 'wakeUps'>;

/**
 * The most that one request may cost, with a margin for timers. Each notification is a transaction of each connection that listens, and each
 * batch of changes a message that it is visible. One that changes more than what agents have earned is also a message to all that answer from
 * memory, and one back from each (gateway, call-proxy, pay-proxy).
 */
const ceilings = {
  verify: { statements: 0.9, transactions: 0.9, messages: 0.9, flushes: 0.3 },
  agent: { statements: 1.9, transactions: 1.9, messages: 2.9, flushes: 0.3 },
  call: { statements: 7.9, transactions: 8, messages: 5.4, flushes: 5.5 },
  register: { statements: 8.2, transactions: 8.2, messages: 10.5, flushes: 3 },
  review: { statements: 8.7, transactions: 9, messages: 7.5, flushes: 3.6 },
  update: { statements: 7.7, transactions: 8, messages: 10.5, flushes: 3 },
} satisfies Record<string, Ceiling>;
type Kind = keyof typeof ceilings;

const requestsCounted = 15;
/** Longer than the followers of the log gather events: none of two requests share a transaction. */
const pauseMs = 200;
/** The first requests open connections and prepare statements. */
const requestsBefore = 10;

let stack: CountedStack;
let target: RecordingAgent;
let requests: Record<Kind, () => Promise<{ status: number; text: string }>>;
const attempted = new Set<Kind>();
let last: Counts;
/** The work in each window without a request. */
let idle: Counts;

const names = ['statements', 'transactions', 'messages', 'flushes', 'wakeUps'] as const;
const mapCounts = (count: (name: keyof Counts) => number): Counts =>
  Object.fromEntries(names.map((name) => [name, count(name)])) as Counts;

/** The work since the last call. */
const window = async (): Promise<Counts> => {
  const [before, now] = [last, await stack.counts()];
  last = now;
  return mapCounts((name) => now[name] - before[name]);
};

const send = async (kind: Kind, count: number, pauseAfterMs = 0): Promise<void> => {
  for (let sent = 0; sent < count; sent += 1) {
    const { status, text } = await requests[kind]();
    if (status >= 300) throw new Error(`${kind} returned ${status}: ${text}`);
    await delay(pauseAfterMs);
  }
};

beforeAll(async () => {
  stack = await startCountedStack();
  target = await startRecordingAgent();
  const http: Http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const caller = await registerAgent(http, { key });
  const other = await createOrganisation(stack);
  const fields = { endpoint_url: target.url, capabilities: ['price_quote'] };
  const receiver = await registerAgent(http, { key: other.key, fields });
  const transactions: unknown[] = [];
  requests = {
    verify: () => http.post('/verify', { agent_id: receiver.agentId }),
    agent: () => http.get(`/agent/${receiver.agentId}`),
    call: async () => {
      const answer = await http.post('/call', callBody(caller, receiver.agentId), bearer(caller.key));
      transactions.push(answer.body['transaction_id']);
      return answer;
    },
    register: () => http.post('/register', { ...fields, agent_id: unique('cost') }, orgKey(key)),
    update: () =>
      http.post('/update', { agent_id: receiver.agentId, specialty: unique('specialty') }, orgKey(other.key)),
    review: () =>
      http.post(
        '/review',
        {
          transaction_id: transactions.pop(),
          caller_agent_id: caller.agentId,
          receiver_agent_id: receiver.agentId,
          success: true,
          score: 9,
        },
        bearer(caller.key),
      ),
  };
  for (const kind of ['verify', 'agent', 'call', 'register', 'review', 'update'] as const)
    await send(kind, requestsBefore);
  // Each review needs one, also when its window is counted again.
  await send('call', 3 * requestsCounted);
  last = await stack.counts();
  idle = await window();
});
afterAll(async () => {
  await target?.stop();
  await stack?.stop();
});

describe('one request, alone', () => {
  // What else the system does in a window can only add to its counts: leases that are renewed, connections that are opened again.
  // A further attempt measures beside it what the system does by itself: that may have become more since the start, such as renewing a lease.
  it.each(Object.keys(ceilings) as Kind[])('%s', { retry: 2 }, async (kind) => {
    if (attempted.has(kind)) idle = await window();
    attempted.add(kind);
    const startedAt = performance.now();
    await send(kind, requestsCounted, pauseMs);
    const busyMs = performance.now() - startedAt;
    const idleShare = (reportedAfterMs + busyMs) / reportedAfterMs;
    const counts = await window();
    const each = mapCounts((name) => Math.round(((counts[name] - idleShare * idle[name]) / requestsCounted) * 10) / 10);
    process.stderr.write(`${kind}: ${names.map((name) => `${each[name]} ${name}`).join(', ')}\n`);
    for (const [name, most] of Object.entries(ceilings[kind])) {
      expect(each[name as keyof Counts], `${name} of ${kind}`).toBeLessThanOrEqual(most);
    }
  });
});
