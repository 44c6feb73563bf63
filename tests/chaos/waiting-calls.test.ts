/**
 * Bug: a message of 10 MiB that consists of `[],[],…` takes 140 MB once parsed. If a process keeps that until the agent answers, the
 * concurrent calls of a single caller exhaust its memory.
 * Method: such messages for each kind of agent, all open at once at agents that do not answer yet. The resident memory of the processes on
 * the way is sampled ten times a second until all agents have their whole request. It may grow by a few times the bytes of the messages and
 * the garbage of a few parses, and no more. Then the agents answer, and every caller gets its answer.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  registerAgent,
  textMessage,
  unique,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { pidsOf, watchMemory } from './support/peak-memory.ts';

const mebibyte = 1024 * 1024;
const onTheWay = ['gateway', 'call-proxy'];
/** Per call: the message as received, as sent, and in transit between the two. */
const heldOfCallMax = 30 * mebibyte;
/** One message is parsed at a time; a few more may be garbage that is not collected yet. */
const garbageMax = 600 * mebibyte;

/** JSON of almost 10 MiB whose parsed value takes the most memory. */
const arrays = `[${'[],'.repeat((10 * mebibyte - 4_096) / 3)}0]`;
const dataMessage = textMessage('@')['params'] as { message: { parts: unknown[] } };
dataMessage.message.parts = [{ kind: 'data', content_type: 'application/json', content: { x: '@' } }];
const a2a = { ...textMessage(''), params: dataMessage };

/** Fewer calls if their messages have to be parsed: a busy machine takes seconds for each. */
const kinds: { name: string; calls: number; fields: Record<string, unknown>; message: unknown }[] = [
  { name: 'plain', calls: 2, fields: {}, message: a2a },
  { name: 'a2a', calls: 2, fields: { a2a_compliant: true }, message: a2a },
  {
    name: 'mcp',
    calls: 6,
    fields: { message_protocol: 'mcp' },
    message: { jsonrpc: '2.0', id: 1, method: 'x', params: '@' },
  },
  { name: 'raw', calls: 6, fields: { message_protocol: 'raw' }, message: { anything: '@' } },
];

let stack: Stack;
const waiting: ServerResponse[] = [];
const agent = createServer((request, response) => {
  request.resume().once('end', () => waiting.push(response));
});

beforeAll(async () => {
  agent.listen(0, '127.0.0.1');
  await once(agent, 'listening');
  stack = await startChaosStack({ CALL_TIMEOUT_MS: '170000' });
});
afterAll(async () => {
  agent.closeAllConnections();
  agent.close();
  await stack?.stop();
});

it('a call that waits for its agent takes no more memory than a few times its message', async () => {
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const caller = await registerAgent(http, { key });
  const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/`;
  const bodies = await Promise.all(
    kinds.map(async ({ name, calls, fields, message }) => {
      const agentId = unique(name);
      await registerAgent(http, { key, agentId, fields: { endpoint_url: url, ...fields } });
      return Array.from({ length: calls }, () =>
        JSON.stringify(callBody(caller, agentId, message)).replace('"@"', arrays),
      );
    }),
  );
  const send = (body: string): Promise<Response> =>
    fetch(new URL('/call', stack.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
      body,
    });
  const memory = watchMemory(pidsOf(stack, onTheWay));

  const calls = bodies.flat().map(send);
  const early = Promise.race(calls).then(async (answer) => {
    if (waiting.length < calls.length) throw new Error(`answered too early: ${answer.status} ${await answer.text()}`);
  });
  const arrived = waitFor(() => waiting.length === calls.length, {
    description: 'all requests at their agents',
    timeoutMs: 150_000,
  });
  await Promise.race([arrived, early]);
  const growth = memory.stop();
  for (const response of waiting) response.setHeader('content-type', 'application/json').end('{}');
  const statuses = await Promise.all(calls.map(async (call) => (await call).status));

  if (process.env['CHAOS_FIGURES'] !== undefined) {
    const shown = onTheWay.map((name) => `${name} ${((growth[name] ?? 0) / mebibyte).toFixed(0)}`).join(', ');
    process.stderr.write(`  ${calls.length} calls of 10 MiB that wait: peak growth of RSS in MiB: ${shown}\n`);
  }
  expect(statuses).toEqual(calls.map(() => 200));
  for (const name of onTheWay) expect(growth[name]).toBeLessThan(calls.length * heldOfCallMax + garbageMax);
  expect(stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);
}, 240_000);
