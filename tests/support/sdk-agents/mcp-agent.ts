import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { endpointMark, hideHost } from '../ask.ts';

export type McpAgentOptions = {
  /** If true, the server keeps sessions and returns their ids in Mcp-Session-Id. */
  stateful: boolean;
  /** If true, answers are JSON, else a stream of events. */
  json: boolean;
};

const newServer = (): McpServer => {
  const server = new McpServer({ name: 'adder', version: '1' }, { capabilities: { logging: {} } });
  let calls = 0;
  server.registerTool(
    'add',
    { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }, { sendNotification }) => {
      calls += 1;
      // In a stream of events, notifications precede the response.
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: `adding ${a}` } });
      return { content: [{ type: 'text', text: `${a + b}, call ${calls} of this session` }] };
    },
  );
  return server;
};

const openTransport = async (
  options: McpAgentOptions,
  keep: (id: string, transport: StreamableHTTPServerTransport) => void,
) => {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    ...(options.stateful ? { sessionIdGenerator: randomUUID } : {}),
    enableJsonResponse: options.json,
    onsessioninitialized: (id) => keep(id, transport),
  });
  // Under exactOptionalPropertyTypes the SDK's transport does not match the SDK's own interface.
  await newServer().connect(transport as Parameters<McpServer['connect']>[0]);
  return transport;
};

/** An agent built with the official MCP SDK, over streamable HTTP. */
export async function startMcpAgent(options: McpAgentOptions): Promise<RunningAgent> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const kept = sessions.get(String(request.headers['mcp-session-id']));
    const transport = kept ?? (await openTransport(options, (id, opened) => sessions.set(id, opened)));
    await transport.handleRequest(request, response);
  };
  const agent = await listen(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
    `/${endpointMark}`,
  );
  hideHost(agent.url);
  return {
    ...agent,
    stop: async () => {
      for (const transport of sessions.values()) await transport.close();
      await agent.stop();
    },
  };
}
