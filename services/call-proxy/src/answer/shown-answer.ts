import { payViaUrl } from '@agent-trust/contracts';
import type { executeCall } from '@agent-trust/contracts';
import type { z } from 'zod';
import type { Contacted } from '../contact-agent.ts';
import { shownResponseHeaders } from '../headers/shown-response-headers.ts';
import type { RoutableTarget } from '../request/plan.ts';
import { hideEndpointInBody, hideEndpointInHeader, paymentRequired } from './payment-demand.ts';
import { asOneEvent, isEventStream, jsonRpcResponseIn } from './server-sent-event.ts';

const paymentRequiredHeader = 'payment-required';

/** The agent's headers with the pay address in place of its own in a payment demand. */
const withPayAddress = (
  headers: Record<string, string>,
  endpointUrl: string,
  payUrl: string,
): Record<string, string> => {
  const { [paymentRequiredHeader]: demand, ...others } = headers;
  const hidden = demand === undefined ? null : hideEndpointInHeader(demand, endpointUrl, payUrl);
  return hidden === null ? others : { ...others, [paymentRequiredHeader]: hidden };
};

/** What the caller is shown of the answer's status and headers. */
export const headOf = (
  contacted: Contacted,
  target: RoutableTarget,
  options: { transactionId: string | null; baseUrl: string },
): z.output<typeof executeCall.head> => {
  const payUrl = payViaUrl(options.baseUrl, target.agentId);
  const headers = withPayAddress(contacted.headers, target.endpointUrl, payUrl);
  return {
    transactionId: options.transactionId,
    statusCode: contacted.statusCode,
    responseHeaders: shownResponseHeaders(headers, target.endpointUrl),
    contentType: contacted.contentType,
    streaming: false,
    mcpSessionId: target.messageProtocol === 'mcp' ? (contacted.headers['mcp-session-id'] ?? null) : null,
  };
};

/**
 * What the caller is shown of a whole answer: a payment demand with the pay address in it, one event where a stream was asked for,
 * and the response itself where an MCP server wrapped it in a stream.
 */
export const shownAnswer = (
  contacted: Contacted & { kind: 'whole' },
  target: RoutableTarget,
  options: { streaming: boolean; baseUrl: string },
): { body: Uint8Array; contentType: string | null } => {
  const body =
    contacted.statusCode === paymentRequired
      ? hideEndpointInBody(contacted.body, target.endpointUrl, payViaUrl(options.baseUrl, target.agentId))
      : contacted.body;
  if (options.streaming) return { body: asOneEvent(body), contentType: 'text/event-stream' };
  if (target.messageProtocol === 'mcp' && isEventStream(contacted.contentType)) {
    const response = jsonRpcResponseIn(body);
    if (response !== null) return { body: response, contentType: 'application/json' };
  }
  return { body, contentType: contacted.contentType };
};
