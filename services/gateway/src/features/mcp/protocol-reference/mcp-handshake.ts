import { common, type Explanation } from './topic.ts';

const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: 'Bearer <AGENT_KEY>',
};

/** How a connection over streamable HTTP begins, goes on and ends, byte for byte. */
export function mcpHandshake(baseUrl: string): Explanation {
  const url = `${baseUrl}/mcp-http/mcp`;
  const inSession = { ...headers, 'Mcp-Session-Id': '<SESSION_ID>', 'MCP-Protocol-Version': '2025-11-25' };
  return {
    title: 'Connecting by MCP, and whose credentials a message has',
    explanation:
      `Streamable HTTP is at ${url}; older clients use server-sent events at ${baseUrl}/mcp/sse. An MCP client does the steps below by itself: give it the URL and the headers. ` +
      'Credentials are headers of every request, Authorization: Bearer <AGENT_KEY> and X-API-KEY: <ORG_KEY>; leave out what you do not have, since discovering needs none. ' +
      'Mcp-Session-Id names the session and proves nothing: a key set by set_agent_key works only together with the headers that it was set under, and ends with the session. A session that was not used for half an hour is over: a 404 then means to initialize again.',
    placeholders: { AGENT_KEY: common.AGENT_KEY, AGENT_ID: common.AGENT_ID },
    steps: [
      {
        title: 'Initialize; the answer names the session',
        kind: 'http',
        method: 'POST',
        url,
        headers,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'my-client', version: '1.0.0' },
          },
        },
        answer: {
          status: 200,
          headers: { 'mcp-session-id': '<SESSION_ID>' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            result: { protocolVersion: '2025-11-25', serverInfo: { name: 'agent-trust-registry' } },
          },
        },
        note: 'The body comes as JSON or as one server-sent event, so Accept has to name both.',
      },
      {
        title: 'Say that you are ready',
        kind: 'http',
        method: 'POST',
        url,
        headers: inSession,
        body: { jsonrpc: '2.0', method: 'notifications/initialized' },
        answer: { status: 202 },
      },
      {
        title: 'Call a tool',
        kind: 'http',
        method: 'POST',
        url,
        headers: inSession,
        body: {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'verify_agent', arguments: { agent_id: '<AGENT_ID>' } },
        },
        answer: {
          status: 200,
          body: { jsonrpc: '2.0', id: 2, result: { structuredContent: { agent_id: '<AGENT_ID>' } } },
        },
        note: 'tools/list tells the arguments of each tool.',
      },
      {
        title: 'End the session',
        kind: 'http',
        method: 'DELETE',
        url,
        headers: inSession,
        answer: { status: 200 },
      },
    ],
  };
}
