import { jsonRpcMessage } from '@agent-trust/contracts';
import { asksForStream, parseOutside } from './message.ts';
import type { OutboundPlan, RoutableTarget } from './plan.ts';

/** A JSON-RPC message for an MCP server over streamable HTTP: the bytes as they came, always POST (MCP 2025-06-18, "Sending Messages to the Server"). */
export function planMcp(target: RoutableTarget, message: Uint8Array): OutboundPlan {
  const parsed = parseOutside(jsonRpcMessage, message);
  return {
    httpMethod: 'POST',
    url: target.endpointUrl,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: message,
    isExchange: parsed.method !== 'initialize',
    streaming: asksForStream(parsed),
  };
}
