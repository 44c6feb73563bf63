import { inputSchemaOf, outputSchemaOf, tools } from '@agent-trust/contracts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { instructions } from './instructions.ts';
import type { McpContext } from './mcp-context.ts';
import { runTool } from './tools/run-tool.ts';
import { unknownTool } from './tools/tool-result.ts';

/** No schema is ever compiled with it (that is for elicitation); made once, since a server is made for every message. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Of any shape: what is no call of a tool the SDK then refuses as invalid params, and not as a fault of the server's. */
const callToolRequest = z.looseObject({ method: z.literal('tools/call') });

const serverInfo = {
  name: 'agent-trust-registry',
  title: 'Agent Trust Registry',
  version: '1.0.0',
} as const;

/**
 * The MCP server of one caller: lists the tools and runs them. It holds nothing of its caller but the context, so that one can be made for every
 * message. The low-level Server is taken on purpose: McpServer would check arguments a second time and tell faults in words of its own.
 */
export function createMcpServer(context: McpContext): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: instructions(context.baseUrl),
    jsonSchemaValidator,
  });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    // Everything stands on the one page, so no cursor was ever given out.
    if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, 'there is no such cursor');
    return { tools: listedTools };
  });
  server.setRequestHandler(callToolRequest, async (request, { signal, _meta, sendNotification }) => {
    const { params } = CallToolRequestSchema.parse(request);
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return unknownTool(context.requestId);
    const progressToken = _meta?.progressToken;
    const tell =
      progressToken === undefined
        ? null
        : (progress: number, message: string): Promise<void> =>
            sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
    return runTool(tool, params.arguments ?? {}, { ...context, signal, tell });
  });
  return server;
}

/** The tools as MCP lists them, made from the catalogue when the gateway starts: it takes a tenth of a second that no request should wait for. */
const listedTools: ListedTool[] = tools.map(
  (tool) =>
    ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
      outputSchema: outputSchemaOf(tool),
      annotations: { title: tool.title, ...tool.hints },
    }) as ListedTool,
);
