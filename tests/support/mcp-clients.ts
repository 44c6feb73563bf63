import { Client } from '@modelcontextprotocol/sdk/client/index.js';
// The registry serves the older transport too, so the tests use it.
// oxlint-disable-next-line typescript/no-deprecated
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import { stack } from './ask.ts';

export type McpTransport = 'streamable HTTP' | 'SSE';
export const mcpTransports: readonly McpTransport[] = ['streamable HTTP', 'SSE'];

const [firstUrl = '', secondUrl = ''] = stack.urls;
/** The gateways' addresses for MCP clients. */
export const mcpGateways = [firstUrl, secondUrl] as const;

export type McpClient = {
  client: Client;
  /** Null over SSE, where the session's id is part of the message address. */
  sessionId: string | null;
  /** Ends the session if the transport supports that. */
  end: () => Promise<void>;
};

/** The SDK's validator, shared by all clients so that each schema compiles once: compiling takes longer than most tests. */
class CachedSchemaValidator extends AjvJsonSchemaValidator {
  readonly #validators = new Map<string, JsonSchemaValidator<unknown>>();
  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema);
    const validator = this.#validators.get(key) ?? super.getValidator<unknown>(schema);
    this.#validators.set(key, validator);
    return validator as JsonSchemaValidator<T>;
  }
}
const jsonSchemaValidator = new CachedSchemaValidator();

/** Connects the official client with the given headers. */
export async function mcpClient(
  headers: Record<string, string> = {},
  transport: McpTransport = 'streamable HTTP',
  gateway: string = firstUrl,
): Promise<McpClient> {
  const client = new Client({ name: 'end-to-end-tests', version: '1.0.0' }, { jsonSchemaValidator });
  if (transport === 'SSE') {
    const sse = new SSEClientTransport(new URL(`${gateway}/mcp/sse`), { requestInit: { headers } });
    await client.connect(sse);
    return { client, sessionId: null, end: () => client.close() };
  }
  const http = new StreamableHTTPClientTransport(new URL(`${gateway}/mcp-http/mcp`), { requestInit: { headers } });
  // The SDK's own types conflict under exactOptionalPropertyTypes.
  await client.connect(http as Parameters<typeof client.connect>[0]);
  return {
    client,
    sessionId: http.sessionId ?? null,
    end: async () => {
      await http.terminateSession();
      await client.close();
    },
  };
}

export type ToolAnswer = { isError: boolean; body: Record<string, unknown> };

/** Calls a tool; returns its structured content, or the error body if the tool refuses. */
export async function callTool(
  { client }: Pick<McpClient, 'client'>,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  return toolAnswer(await client.callTool({ name, arguments: args }));
}

const toolAnswer = (result: unknown): ToolAnswer => {
  const { isError, content } = result as { isError?: boolean; content: { text: string }[] };
  return { isError: isError === true, body: JSON.parse(content[0]?.text ?? '{}') as Record<string, unknown> };
};

let requests = 0;

/** POSTs a hand-made message to a session over streamable HTTP. */
export function postMessage(
  gateway: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${gateway}/mcp-http/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: (requests += 1), method, params }),
  });
}

/** Calls a tool in any client's session at any gateway, with any headers. */
export async function callToolIn(
  sessionId: string,
  name: string,
  args: Record<string, unknown>,
  headers: Record<string, string> = {},
  gateway: string = firstUrl,
): Promise<ToolAnswer> {
  const response = await postMessage(
    gateway,
    'tools/call',
    { name, arguments: args },
    { 'mcp-session-id': sessionId, ...headers },
  );
  const text = await response.text();
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
  if (response.status !== 200 || data === undefined) throw new Error(`tools/call returned ${response.status}: ${text}`);
  return toolAnswer((JSON.parse(data.slice('data: '.length)) as { result: unknown }).result);
}
