import type { RoutableTarget } from '@agent-trust/proxy-kit';
import { planA2aCompliant } from './a2a-compliant.ts';
import { asksForStream, readJsonRpcMessage, readRawMessage } from './message.ts';
import type { A2aWireForm, OutboundPlan } from './outbound-plan.ts';
import { planPlain } from './plain.ts';

/** Turns a message into the request for the target's kind (decisions, section 8). Throws DomainError invalid_message with the path of each fault. */
export function planRequest(
  target: RoutableTarget,
  message: Uint8Array,
  options: { methodOverride: 'GET' | 'POST' | null; a2aWireForm: A2aWireForm; newId: () => string },
): OutboundPlan {
  const asItCame = (accept: string, { method }: { method?: unknown }): OutboundPlan => ({
    httpMethod: 'POST',
    url: target.endpointUrl,
    headers: { 'content-type': 'application/json', accept },
    body: message,
    isExchange: target.messageProtocol !== 'mcp' || method !== 'initialize',
    streaming: asksForStream({ method }),
  });
  switch (target.messageProtocol) {
    case 'a2a':
      return target.a2aCompliant
        ? planA2aCompliant(target, message, options)
        : planPlain(target, message, options.methodOverride);
    case 'mcp':
      // MCP 2025-06-18, "Sending Messages to the Server".
      return asItCame('application/json, text/event-stream', readJsonRpcMessage(message));
    case 'raw':
      return asItCame('application/json, text/event-stream;q=0.9, */*;q=0.5', readRawMessage(message));
    default:
      return target.messageProtocol satisfies never;
  }
}
