/**
 * Bug: four agents without an organisation, which anybody can register, hold all places of such agents for as long as a stream may last, by
 * streams that carry next to nothing.
 * Method: four such agents take every place with streams of a few bytes a second, from two client addresses, each of which has half. A call of a
 * fifth finds no place while the streams are new; later it takes that of one of them, as do others after it; a stream that is lively stays.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { bearer, callBody, httpTo, type Member, registerAgent, textMessage } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { type AgentRequest, answerText } from './support/recording-agent.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

/** `edgeLimits.calls` of the gateway. */
const places = 192;
/** `edgeLimits.slowStreams.graceMs` of the gateway: until then a stream counts as new. */
const graceMs = 30_000;
const attackersCount = 4;
/** How often all places are taken once more if that took longer than the grace. */
const timesAgain = 5;

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

/** The answer of a registry that is not too busy to give one: it may not get to look the caller up. */
const quickInTime = (caller: Member, address: number) =>
  waitFor(
    async () => {
      const answer = await quick(caller, address);
      return answer.body['code'] === 'unavailable' ? null : answer;
    },
    { description: 'a registry that decides' },
  );
const refusals: unknown[] = [];
/** A stream that has a place. Streams of an earlier round may still hold it for a moment; a refusal says when to come again. */
const opened = (caller: Member, agentId: string, address: number): Promise<IncomingMessage> =>
  waitFor(
    async () => {
      const stream = await open(caller, agentId, address).catch((error: unknown) => void refusals.push(String(error)));
      if (stream === undefined || stream.statusCode === 200) return stream;
      stream.resume();
      const isForNow = [429, 503].includes(stream.statusCode ?? 0) && stream.headers['retry-after'] !== undefined;
      if (!isForNow) refusals.push(stream.statusCode);
      return null;
    },
    { intervalMs: 1_000, description: 'a place for a stream' },
  );

it('idle streams give their places to calls that find none, lively ones keep theirs', async () => {
  const { idle, asleep, dozing, silent, lively } = registry.agents;
  const idleAgents = [idle, asleep, dozing, silent];
  const kept = await opened(attackers[0] as Member, lively.agentId, 1);
  kept.resume();
  const takeEveryPlace = async () => {
    const beganAt = performance.now();
    const broken = new Set<IncomingMessage>();
    const taken = await Promise.all(
      Array.from({ length: places - 1 }, async (_, index) => {
        // Two attackers at each address.
        const attacker = attackers[(index + 1) % attackersCount] as Member;
        const address = 1 + (((index + 1) % attackersCount) >> 1);
        const receiver = idleAgents[Math.floor(index / attackersCount) % idleAgents.length];
        const stream = await opened(attacker, receiver?.agentId ?? '', address);
        stream.resume();
        stream.once('error', () => broken.add(stream));
        return stream;
      }),
    );
    const answer = await quickInTime(victim, 3);
    return { taken, broken, answer, areNew: performance.now() - beganAt < graceMs };
  };
  let round = await takeEveryPlace();
  // A busy machine may take so long for all of them that the first ones are not new any more.
  for (let again = 0; round.answer.status === 200 && !round.areNew && again < timesAgain; again += 1) {
    for (const stream of round.taken) stream.destroy();
    round = await takeEveryPlace();
  }
  expect(refusals).toEqual([]);
  const { taken: streams, broken, answer: refused } = round;
  expect([refused.status, refused.body['code']]).toEqual([503, 'overloaded']);
  const ofFullAddress = await quickInTime(victim, 1);
  expect([ofFullAddress.status, ofFullAddress.body['code']]).toEqual([429, 'too_many_calls']);

  await waitFor(async () => (await quick(victim, 3)).status === 200, {
    intervalMs: 1_000,
    description: 'a place for another call',
  });
  const more = await Promise.all(Array.from({ length: 8 }, () => untilServed(() => quick(victim, 3))));
  expect(more.map(({ status }) => status)).toEqual(more.map(() => 200));
  // One stream for each place that was needed at one time, and no others.
  await waitFor(() => broken.size >= 1, { description: 'a stream that gave way' });
  expect(broken.size).toBeLessThanOrEqual(9);
  expect(kept.destroyed).toBe(false);
  expect(registry.stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);
  for (const one of [...streams, kept]) one.destroy();
}, 600_000);
