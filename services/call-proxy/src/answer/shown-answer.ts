import type { executeCall } from '@agent-trust/contracts';
import {
  createAddressMatcher,
  redactDemand,
  type Redaction,
  redactPaymentHeaders,
  paymentRequired,
} from '@agent-trust/x402';
import type { z } from 'zod';
import type { Contacted } from '../contact-agent.ts';
import { shownResponseHeaders } from '../headers/shown-response-headers.ts';
import type { RoutableTarget } from '../request/outbound-plan.ts';
import { isCoded, isSuccess } from './answer-kind.ts';
import { jsonRpcResponseIn } from './json-rpc-response.ts';
import { asOneEvent, isEventStream } from './server-sent-event.ts';
import { redactPage } from './redact-page.ts';

/** A session that is named after where the agent lives cannot be gone on with through the registry. */
const shownSessionId = ({ headers }: Contacted, endpointUrl: string): string | null => {
  const sessionId = headers['mcp-session-id'];
  return sessionId === undefined || createAddressMatcher([endpointUrl]).isIn(sessionId) ? null : sessionId;
};

/** What the caller is shown of the answer's status and headers. */
export function headOf(
  contacted: Contacted,
  target: RoutableTarget,
  options: { transactionId: string | null; redaction: Redaction },
): z.output<typeof executeCall.head> {
  const headers = redactPaymentHeaders(contacted.headers, options.redaction);
  return {
    transactionId: options.transactionId,
    statusCode: contacted.statusCode,
    responseHeaders: shownResponseHeaders(headers, target.endpointUrl),
    contentType: contacted.contentType,
    streaming: false,
    mcpSessionId: target.messageProtocol === 'mcp' ? shownSessionId(contacted, target.endpointUrl) : null,
    position: null,
  };
}

type ShownBody = {
  body: Uint8Array;
  contentType: string | null;
  /** The body is the registry's own text in place of the agent's. */
  isWithheld: boolean;
};

/**
 * The agent's words, or what may be shown of its server's: a payment demand with the pay address in it, and pages for errors and
 * redirects, which like to name their host, without that. Such a page that came compressed is not shown, since nobody looked into it.
 */
const shownBody = (
  { statusCode, headers, contentType, body }: Contacted & { kind: 'whole' },
  target: RoutableTarget,
  redaction: Redaction,
): ShownBody => {
  const asItIs = { contentType, isWithheld: false };
  if (isSuccess(statusCode)) return { ...asItIs, body };
  if (isCoded(headers)) return { ...asItIs, body: new Uint8Array() };
  if (statusCode === paymentRequired) return { ...asItIs, body: redactDemand({ headers: {}, body }, redaction).body };
  const page = redactPage(body, target.endpointUrl);
  return page.isWithheld ? { ...page, contentType: 'text/plain; charset=utf-8' } : { ...asItIs, body: page.body };
};

/**
 * What the caller is shown of a whole answer: one event where a stream was asked for and none came, and the response itself where an MCP
 * server wrapped it in a stream. A compressed body is bytes, whatever is in it.
 */
export function shownAnswer(
  contacted: Contacted & { kind: 'whole' },
  target: RoutableTarget,
  options: { streaming: boolean; redaction: Redaction },
): ShownBody {
  const shown = shownBody(contacted, target, options.redaction);
  const { body, contentType } = shown;
  if (options.streaming) {
    return { ...shown, body: isEventStream(contentType) ? body : asOneEvent(body), contentType: 'text/event-stream' };
  }
  if (isCoded(contacted.headers)) return { ...shown, contentType: 'application/octet-stream' };
  if (target.messageProtocol === 'mcp' && isEventStream(contentType)) {
    const response = jsonRpcResponseIn(body);
    if (response !== null) return { ...shown, body: response, contentType: 'application/json' };
  }
  return shown;
}
