import { updateRoute, whoamiRoute } from '@agent-trust/contracts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectRpc } from '@agent-trust/nats-rpc';
import type { FastifyInstance } from 'fastify';
import { closeGently } from '../../../http/close-gently.ts';
import { createServer } from '../../../http/server.ts';
import { endpoints } from '../../endpoints.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../../testing/gateway-under-test.ts';
import type { CreateMcpServer } from '../mcp-core.ts';
import { createMcp } from '../mcp.ts';

/** Two gateways of one registry whose MCP server has tools that show the behaviour of a transport. */
export type McpGateways = {
  under: GatewayUnderTest;
  urls: readonly [string, string];
  /** Calls of `wait` that have started, and those that were cancelled. */
  waiting: { begun: number; cancelled: number; release: () => void };
  /** Stops one of the gateways as a signal does; at most once each. */
  stopOne(index: 0 | 1, graceMs: number): Promise<void>;
  stop(): Promise<void>;
};

export async function startMcpGateways(env: Record<string, string> = {}): Promise<McpGateways> {
  const under = await startGatewayUnderTest(env);
  const waiting: McpGateways['waiting'] = { begun: 0, cancelled: 0, release: () => undefined };
  const released = new Promise<void>((resolve) => {
    waiting.release = resolve;
  });
  const toolServer = toolsThatShow(waiting, released);
  const apps: FastifyInstance[] = [];
  const rpcs = await Promise.all(
    ['one', 'two'].map((instanceId) => connectRpc({ natsUrl: under.natsUrl, service: 'gateway', instanceId })),
  );
  for (const rpc of rpcs) {
    const app = createServer(under.gateway, endpoints, createMcp(under.gateway, rpc.connection, toolServer));
    await app.listen({ host: '127.0.0.1', port: 0 });
    apps.push(app);
  }
  const urls = apps.map((app) => app.listeningOrigin) as [string, string];
  const stops: (Promise<void> | undefined)[] = [];
  const stopOne = (index: number, graceMs: number): Promise<void> => {
    stops[index] ??= (async () => {
      const app = apps[index];
      if (app === undefined) return;
      await closeGently(app.server, () => app.close(), graceMs);
      await rpcs[index]?.close();
    })();
    return stops[index];
  };
  return {
    under,
    urls,
    waiting,
    stopOne,
    stop: async () => {
      await Promise.all([stopOne(0, 100), stopOne(1, 100)]);
      await under.stop();
    },
  };
}

/** `whoami` calls a route of organisations, `update` one of agents; `set_key` sets the session's key; `wait` waits for the test. */
const toolsThatShow =
  (waiting: McpGateways['waiting'], released: Promise<void>): CreateMcpServer =>
  ({ invoke, setAgentKey }) => {
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    const names = ['whoami', 'update', 'set_key', 'wait', 'large'];
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
      const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
      switch (params.name) {
        case 'whoami': {
          const { status, body } = await invoke(whoamiRoute, {}, signal);
          return { ...text(JSON.stringify(body)), isError: status >= 400 };
        }
        case 'update': {
          const { body } = await invoke(updateRoute, { body: { agent_id: 'receiver', specialty: 'new' } }, signal);
          return text(JSON.stringify(body));
        }
        case 'set_key':
          await setAgentKey((params.arguments?.['key'] ?? null) as string | null);
          return text('set');
        case 'large':
          return text('x'.repeat(Number(params.arguments?.['chars'])));
        default:
          waiting.begun += 1;
          signal.addEventListener('abort', () => {
            waiting.cancelled += 1;
          });
          await released;
          return text('waited');
      }
    });
    return server;
  };
