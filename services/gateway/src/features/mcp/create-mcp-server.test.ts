import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createMcpServer } from './create-mcp-server.ts';
import { context } from './tools/testing/run-with.ts';

/** The answer to a request that no client of the SDK would send. */
const answerTo = async (method: string, params: Record<string, unknown>): Promise<JSONRPCMessage> => {
  const [client, server] = InMemoryTransport.createLinkedPair();
  await createMcpServer(context).connect(server);
  const answer = new Promise<JSONRPCMessage>((resolve) => {
    client.onmessage = resolve;
  });
  await client.start();
  await client.send({ jsonrpc: '2.0', id: 1, method, params });
  return answer;
};

it.each([
  ['tools/call', {}, -32_602],
  ['tools/call', { name: 5 }, -32_602],
  ['tools/call', { name: 'verify_agent', arguments: ['a'] }, -32_602],
  ['tools/list', { cursor: 'next' }, -32_602],
  ['tools/list', { cursor: 5 }, -32_602],
  ['resources/list', {}, -32_601],
])('%s with %j is an error of JSON-RPC', async (method, params, code) => {
  expect(await answerTo(method, params)).toMatchObject({ id: 1, error: { code } });
});

it('an unknown tool is a result with an error', async () => {
  expect(await answerTo('tools/call', { name: 'none' })).toMatchObject({ id: 1, result: { isError: true } });
});
