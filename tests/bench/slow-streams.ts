import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@agent-trust/dev-stack';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  registerAgent,
  textMessage,
} from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { memoryOf } from './memory.ts';

export const slowStreams = 200;
const streamsPerCaller = 8;
/** Each caller reads one kibibyte per second, as over a bad line. */
const bytesPerSecond = 1024;
const fillSeconds = 15;

/** Memory of a process in MiB: before the streams, with every window full, and later. */
export type SlowStreamsBench = Readonly<Record<string, { before: number; filled: number; later: number }>>;

const openStream = async (stack: Stack, caller: Member, receiverAgentId: string): Promise<IncomingMessage> => {
  const request = httpRequest(new URL('/call', stack.url), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...bearer(caller.key) },
  });
  request.end(JSON.stringify(callBody(caller, receiverAgentId, textMessage('slow', 'message/stream'))));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream returned ${response.statusCode}`);
  return response;
};

/** What 200 callers that read a streamed answer slowly cost the processes on the way. */
export async function benchSlowStreams(stack: Stack, seconds: number): Promise<SlowStreamsBench> {
  const agents = await Promise.all(Array.from({ length: 4 }, () => startHelper('endless-agent.ts')));
  const http = httpTo(stack.url);
  const streams: IncomingMessage[] = [];
  const onTheWay = stack.processes().filter(({ name }) => /^(gateway|call-proxy|nats-server)/u.test(name));
  const memory = async (): Promise<number[]> =>
    Promise.all(onTheWay.map(async ({ pid }) => (pid === undefined ? 0 : ((await memoryOf([pid])) ?? 0))));
  const readSlowly = async (forSeconds: number): Promise<void> => {
    for (let second = 0; second < forSeconds; second += 1) {
      for (const stream of streams) stream.read(bytesPerSecond);
      await delay(1_000);
    }
  };
  try {
    const before = await memory();
    // Agents with different origins: the connections to one origin are limited.
    const receivers = await Promise.all(
      agents.map(async ({ url }) => {
        const { key } = await createOrganisation(stack);
        return registerAgent(http, { key, fields: { endpoint_url: url } });
      }),
    );
    for (let caller = 0; caller < slowStreams / streamsPerCaller; caller += 1) {
      const member = await registerAgent(http, { key: (await createOrganisation(stack)).key });
      const receiver = receivers[caller % receivers.length] as Member;
      const opened = Array.from({ length: streamsPerCaller }, () => openStream(stack, member, receiver.agentId));
      streams.push(...(await Promise.all(opened)));
    }
    await readSlowly(fillSeconds);
    const filled = await memory();
    await readSlowly(seconds);
    const later = await memory();
    return Object.fromEntries(
      onTheWay.map(({ name }, index) => [
        name,
        { before: before[index] ?? 0, filled: filled[index] ?? 0, later: later[index] ?? 0 },
      ]),
    );
  } finally {
    for (const stream of streams) stream.destroy();
    await Promise.all(agents.map((agent) => agent.stop()));
  }
}
