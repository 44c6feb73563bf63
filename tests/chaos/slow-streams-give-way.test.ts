/**
 * Bug: four agents without an organisation, which anybody can register, hold all places of such agents for as long as a stream may last, by
 * streams that carry next to nothing.
 * Method: four such agents take every place with streams of a few bytes a second, from two client addresses, each of which has half. A call of a
 * fifth finds no place while the streams are new; later it takes that of one of them, as do others after it; a stream that is lively stays.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, expect, it } from 'vitest';
import { bearer, callBody, httpTo, type Member, registerAgent, textMessage } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { type AgentRequest, answerText } from './support/recording-agent.ts';

/** `edgeLimits.calls` of the gateway. */
const places = 192;
const attackersCount = 4;

let registry: ChaosRegistry<'idle' | 'asleep' | 'dozing' | 'silent' | 'lively' | 'quick'>;
let attackers: Member[];
let victim: Member;

const stream =
  (bytes: number) =>
  ({ response }: AgentRequest): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const beat = setInterval(() => response.write(`data: ${'.'.repeat(bytes)}\n\n`), 1_000);
    response.once('close', () => clearInterval(beat));
  };

beforeAll(async () => {
  registry = await startChaosRegistry({
    env: { CALL_TIMEOUT_MS: '20000', TRUST_PROXY: '127.0.0.1' },
    // An agent gets a quarter of a proxy's calls.
    agents: {
      idle: stream(8),
      asleep: stream(8),
      dozing: stream(8),
      silent: stream(8),
      lively: stream(8_192),
      quick: answerText,
    },
  });
  attackers = [];
  for (let index = 0; index < attackersCount; index += 1) attackers.push(await registerAgent(registry.http));
  victim = await registerAgent(registry.http);
  return registry.stop;
});

const from = (address: number) => ({ 'x-forwarded-for': `192.0.2.${address}` });
const open = async (caller: Member, agentId: string, address: number): Promise<IncomingMessage> => {
  const request = httpRequest(new URL('/call', registry.stack.url), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...bearer(caller.key), ...from(address) },
  });
  request.end(JSON.stringify(callBody(caller, agentId, textMessage('slow', 'message/stream'))));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
};
const quick = (caller: Member, address: number) =>
  httpTo(registry.stack.url).post('/call', callBody(caller, registry.agents.quick.agentId, textMessage('quick')), {
    ...bearer(caller.key),
    ...from(address),
  });

it('idle streams give their places to calls that find none, lively ones keep theirs', async () => {
  const { idle, asleep, dozing, silent, lively } = registry.agents;
  const idleAgents = [idle, asleep, dozing, silent];
  const kept = await open(attackers[0] as Member, lively.agentId, 1);
  kept.resume();
  let broken = 0;
  const streams = await Promise.all(
    Array.from({ length: places - 1 }, async (_, index) => {
      // Two attackers at each address.
      const attacker = attackers[(index + 1) % attackersCount] as Member;
      const address = 1 + (((index + 1) % attackersCount) >> 1);
      const receiver = idleAgents[Math.floor(index / attackersCount) % idleAgents.length];
      const opened = await open(attacker, receiver?.agentId ?? '', address);
      opened.resume();
      opened.once('error', () => (broken += 1));
      return opened;
    }),
  );
  const statuses = streams.map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));

  const refused = await quick(victim, 3);
  expect([refused.status, refused.body['code']]).toEqual([503, 'overloaded']);
  const ofFullAddress = await quick(victim, 1);
  expect([ofFullAddress.status, ofFullAddress.body['code']]).toEqual([429, 'too_many_calls']);

  await waitFor(async () => (await quick(victim, 3)).status === 200, {
    intervalMs: 1_000,
    timeoutMs: 60_000,
    description: 'a place for another call',
  });
  const more = await Promise.all(Array.from({ length: 8 }, () => quick(victim, 3)));
  expect(more.map(({ status }) => status)).toEqual(more.map(() => 200));
  // One stream for each place that was needed at one time, and no others.
  await waitFor(() => broken >= 1, { description: 'a stream that gave way' });
  expect(broken).toBeLessThanOrEqual(9);
  expect(kept.destroyed).toBe(false);
  expect(registry.stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);
  for (const one of [...streams, kept]) one.destroy();
}, 180_000);
