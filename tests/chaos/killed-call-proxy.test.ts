/**
 * Bugs: an exchange whose call-proxy was killed stays open forever; a call repeated under its idempotency key after the kill is made a second
 * time. Method: two call-proxies, agents that hold their calls, SIGKILL of both proxies meanwhile. The calls are repeated at once; the
 * agents' requests are compared with the log until every exchange has exactly one end.
 */
import { randomUUID } from 'node:crypto';
import { exchangeStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import type { EventLog } from '@agent-trust/event-log';
import { beforeAll, expect, it } from 'vitest';
import { bearer, callBody, type Http, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { exchangesOf, openLogOf, readWholeLog } from './support/raw-log.ts';
import type { RecordingAgent } from './support/recording-agent.ts';
import { waitFor } from './support/wait-for.ts';

const callCount = 20;
/** Long enough for all calls to be at their agent before the first one ends by it, also on a busy machine. */
const callTimeout = '10s';
/** With this setting an exchange stays open for at most 70 s, and a sweep at least every 15 s finds it, later on a busy machine. */
const endedWithinMs = 240_000;

let stack: Stack;
let log: EventLog;
let agent: RecordingAgent;
let http: Http;
let caller: Member;
let receiver: string;

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { CALL_PROXIES: '2', CALL_TIMEOUT_MS: callTimeout },
    // Never answers, so a call is under way until its timeout.
    agents: { receiver: () => new Promise(() => undefined) },
  });
  ({ stack, http } = registry);
  agent = registry.agents.receiver;
  receiver = registry.agents.receiver.agentId;
  [caller] = registry.callers as [Member];
  log = await openLogOf(stack);
  return async () => {
    await log.close();
    await registry.stop();
  };
});

it(
  'calls repeated after the kill are made once, and their exchanges end once',
  async () => {
    const calls = Array.from({ length: callCount }, () => ({ mark: unique('call'), key: randomUUID() }));
    const send = ({ mark, key }: { mark: string; key: string }) =>
      http.post('/call', callBody(caller, receiver, textMessage(mark)), {
        ...bearer(caller.key),
        'idempotency-key': key,
      });
    const lost = calls.map(send);
    await waitFor(() => agent.seen.size === callCount, { description: 'every call at the agent' });
    const proxies = stack.processes().filter(({ name }) => name.startsWith('call-proxy'));
    expect(proxies.length).toBe(2);
    for (const { name } of proxies) stack.kill(name, 'SIGKILL');
    for (const answer of await Promise.all(lost)) expect([502, 503]).toContain(answer.status);

    // Repeat each call until it gets its outcome.
    const reported = await Promise.all(
      calls.map((call) =>
        waitFor(
          async () => {
            const answer = await send(call);
            const { code } = answer.body;
            const isUnderWay = code === 'idempotency_key_in_use' || code === 'unavailable' || code === 'overloaded';
            return isUnderWay ? null : answer;
          },
          { timeoutMs: endedWithinMs, intervalMs: 2_000, description: 'the end of a call whose proxy was killed' },
        ),
      ),
    );
    for (const { status, body } of reported) {
      expect([status, body['code']]).toEqual([409, 'call_already_made']);
      expect(body['outcome']).toBe('abandoned');
      const record = await log.readStream(exchangeStream(String(body['transaction_id'])));
      expect(record.map(({ type }) => type)).toEqual(['ExchangeStarted', 'ExchangeAbandoned']);
    }
    expect(calls.map(({ mark }) => agent.seen.get(mark))).toEqual(calls.map(() => 1));
    const exchanges = exchangesOf(await readWholeLog(stack));
    expect(exchanges.size).toBe(callCount);
    // A caller that never got an answer may still review the exchange.
    const [first] = reported;
    const reviewed = await http.post(
      '/review',
      {
        transaction_id: first?.body['transaction_id'],
        caller_agent_id: caller.agentId,
        receiver_agent_id: receiver,
        success: false,
        score: 1,
      },
      bearer(caller.key),
    );
    expect(reviewed.status).toBe(200);
  },
  endedWithinMs + 60_000,
);
