/**
 * Bug: an answer that is read more slowly than it is sent accumulates in some process on the way, until that process crashes and takes all
 * other calls with it.
 * Method: fifty callers request a streamed answer of 64 MiB each (a kernel may buffer 30 MiB of it between two processes). First they do not
 * read, then they read one kibibyte per second, for longer than an agent may take to answer; then some read to the end and the others
 * disconnect. While they do not read, the agent must be held back, and the resident memory of every process on the way must stay within the
 * flow-control windows, far below the total size of the answers; other callers are served meanwhile. Callers that continue to read get every
 * byte.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@agent-trust/dev-stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, callBody, httpTo, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { rssBytes } from './support/processes.ts';
import { exchangesOf, readWholeLog } from './support/raw-log.ts';
import { type AgentRequest, answerText, type RecordingAgent } from './support/recording-agent.ts';
import { untilServed } from './support/until-served.ts';
import { patienceMs, waitFor } from './support/wait-for.ts';

const mebibyte = 1024 * 1024;
const callerCount = 50;
const answerBytes = 64 * mebibyte;
const readToTheEnd = 2;
const eventBytes = 16 * 1024;
const eventsPerTurn = 16;
/**
 * Limit for the resident memory that one stream costs a process. The rpc window, which waits for its reader, is half a mebibyte; but some
 * 9 MiB of each answer pass into the kernel's buffers before the flow stops, and the process keeps memory from handling them (1.8 to 3.8 MiB
 * per stream in eight runs, whatever the window). An accumulating answer would cost its full 64 MiB.
 */
const growthMaxPerStream = answerBytes / 12;
/** Once the windows are full, no more data may arrive. */
const growthMaxLater = 24 * mebibyte;
/** The time of slow reading: longer than an agent may take to answer. */
const slowSeconds = 9;
/** All streams start at once: enough for the last one to get its headers while the others fill their windows. */
const callTimeoutMs = 8_000;
/** Looks at the agent, a second apart, that find it standing still before it counts as held back: on a busy machine it may stand for one. */
const stillLooksMin = 3;
const onTheWay = ['gateway', 'call-proxy', 'nats-server'];

let stack: Stack;
let agent: RecordingAgent;
/** Two callers, because an agent's capacity for one caller is at most half. */
let callers: readonly [Member, Member];
/** Another caller: the open calls of a caller count against its own limit. */
let neighbour: Member;
let streamer: string;
let quick: string;
/** Bytes that the agent has written to its sockets. */
let sent = 0;

const event = (index: number): Buffer => Buffer.from(`data: ${String(index).padStart(eventBytes - 8, '.')}\n\n`);

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { CALL_TIMEOUT_MS: String(callTimeoutMs) },
    agents: { streamer: streamMuch, quick: answerText },
    callers: 3,
  });
  ({ stack } = registry);
  agent = registry.agents.streamer;
  streamer = registry.agents.streamer.agentId;
  quick = registry.agents.quick.agentId;
  const [first, second, third] = registry.callers as [Member, Member, Member];
  callers = [first, second];
  neighbour = third;
  return registry.stop;
});

const streamMuch = async ({ response }: AgentRequest): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < answerBytes / eventBytes; index += 1) {
    const roomLeft = response.write(event(index));
    if (!roomLeft) await once(response, 'drain');
    sent += eventBytes;
    // A socket with free buffer space never yields: without this, one stream would keep the others from starting.
    if (index % eventsPerTurn === 0) await nextTurn();
  }
  response.end();
};

/** Starts a streamed call and reads only its headers. */
const beginStream = async (index: number): Promise<IncomingMessage> => {
  const caller = callers[index % 2 === 0 ? 0 : 1];
  const request = httpRequest(new URL('/call', stack.url), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...bearer(caller.key) },
  });
  request.end(JSON.stringify(callBody(caller, streamer, textMessage(unique('slow'), 'message/stream'))));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
};

/**
 * A streamed call that its agent answers. While fifty streams begin on a busy machine, the head of one may come too late (502): then, and when it is
 * refused for now (429, 503), it is begun again.
 * @param again counts the others, some of which may be exchanges that failed
 */
const beginAnswered = async (index: number, again = { count: 0 }): Promise<IncomingMessage> => {
  const faults: string[] = [];
  const stream = await waitFor(
    async () => {
      const begun = await beginStream(index);
      if (begun.statusCode === 200) return begun;
      const said = `${begun.statusCode} ${Buffer.concat(await begun.toArray()).toString()}`;
      again.count += 1;
      if (![429, 502, 503].includes(begun.statusCode ?? 0)) faults.push(said);
      return null;
    },
    { description: 'a stream that its agent answers' },
  );
  expect(faults).toEqual([]);
  return stream;
};

const memory = (): Record<string, number> =>
  Object.fromEntries(
    stack
      .processes()
      .filter(({ name }) => onTheWay.includes(name))
      .map(({ name, pid }) => [name, rssBytes(pid)]),
  );

const growthOf = (before: Record<string, number>, now: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(now).map(([name, bytes]) => [name, bytes - (before[name] ?? 0)]));

const largest = (...samples: Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(onTheWay.map((name) => [name, Math.max(...samples.map((sample) => sample[name] ?? 0))]));

const callQuick = (): Promise<{ status: number }> =>
  untilServed(() =>
    httpTo(stack.url).post('/call', callBody(neighbour, quick, textMessage(unique('quick'))), bearer(neighbour.key)),
  );

describe('callers that do not read', () => {
  it(`${callerCount} at once hold the agent back without growing any process, and those who read on get every byte`, async () => {
    // Warm up code and heap, so that the measurement shows only the waiting data.
    for (let index = 0; index < 50; index += 1) expect((await callQuick()).status).toBe(200);
    const before = memory();
    const again = { count: 0 };
    const streams = await Promise.all(Array.from({ length: callerCount }, (_, index) => beginAnswered(index, again)));

    let lastSent = -1;
    let stillLooks = 0;
    await waitFor(
      () => {
        stillLooks = sent === lastSent && sent > 0 ? stillLooks + 1 : 0;
        lastSent = sent;
        return stillLooks >= stillLooksMin;
      },
      { intervalMs: 1_000, description: 'an agent that is held back' },
    );
    const stopped = memory();
    const heldBackAt = sent;
    expect(heldBackAt).toBeLessThan((callerCount * answerBytes) / 2);
    const served = await Promise.all(Array.from({ length: 20 }, callQuick));
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));

    const samples = [stopped];
    const hashes = streams.map(() => createHash('sha256'));
    for (let second = 0; second < slowSeconds; second += 1) {
      for (const [index, stream] of streams.entries()) {
        const piece = stream.read(1_024) as Buffer | null;
        if (piece !== null) hashes[index]?.update(piece);
      }
      await delay(1_000);
      samples.push(memory());
    }
    const growth = growthOf(before, largest(...samples));
    if (process.env['CHAOS_FIGURES'] !== undefined) {
      const inMebibytes = (bytes: Record<string, number>): string =>
        Object.entries(bytes)
          .map(([name, value]) => `${name} ${(value / mebibyte).toFixed(1)}`)
          .join(', ');
      process.stderr.write(
        `  ${callerCount} stopped callers: agent held back at ${(heldBackAt / mebibyte).toFixed(1)} of ${(callerCount * answerBytes) / mebibyte} MiB; ` +
          `RSS before (MiB): ${inMebibytes(before)}; growth: ${inMebibytes(growth)}\n`,
      );
    }
    const later = growthOf(stopped, memory());
    for (const name of onTheWay) {
      expect(growth[name], `growth of ${name}`).toBeLessThan(callerCount * growthMaxPerStream);
      expect(later[name], `growth of ${name} while nobody reads`).toBeLessThan(growthMaxLater);
    }

    const wanted = createHash('sha256');
    for (let index = 0; index < answerBytes / eventBytes; index += 1) wanted.update(event(index));
    const whole = wanted.digest('hex');
    for (const stream of streams.slice(readToTheEnd)) stream.destroy();
    await Promise.all(
      streams.slice(0, readToTheEnd).map(async (stream, index) => {
        for await (const chunk of stream) hashes[index]?.update(chunk as Buffer);
        expect(hashes[index]?.digest('hex')).toBe(whole);
      }),
    );
    const cancelled = callerCount - readToTheEnd;
    await waitFor(() => agent.left.size >= cancelled, { description: 'the cancelled requests' });
    const ends = async (): Promise<string[]> =>
      [...exchangesOf(await readWholeLog(stack)).values()]
        .filter(({ receiverAgentId }) => receiverAgentId === streamer)
        .map(({ after }) => after.join());
    await waitFor(async () => !(await ends()).includes(''), { description: 'an end of every exchange' });
    const failed = (await ends()).filter((end) => end !== 'ExchangeCompleted');
    expect((await ends()).length - failed.length).toBe(readToTheEnd);
    expect(new Set(failed)).toEqual(new Set(['ExchangeFailed']));
    expect(failed.length).toBeGreaterThanOrEqual(cancelled);
    expect(failed.length).toBeLessThanOrEqual(cancelled + again.count);
  });

  it('release their memory when they disconnect: later rounds need no more than the first', async () => {
    // A proxy frees capacity a moment after the agent sees the disconnect, so a stream of the next round may be refused at first (429).
    const round = async (): Promise<void> => {
      const left = agent.left.size;
      const streams = await Promise.all(Array.from({ length: callerCount }, (_, index) => beginAnswered(index)));
      for (const stream of streams) stream.destroy();
      await waitFor(() => agent.left.size >= left + callerCount, { description: 'the end of all agents’ requests' });
    };
    await round();
    const first = memory();
    for (let index = 0; index < 2; index += 1) await round();
    const grown = (): string[] =>
      Object.entries(growthOf(first, memory())).flatMap(([name, bytes]) =>
        bytes < callerCount * mebibyte ? [] : [`${name}: ${bytes}`],
      );
    // When a process gives memory back depends on the machine.
    await expect.poll(grown, { timeout: patienceMs }).toEqual([]);
  });
});
