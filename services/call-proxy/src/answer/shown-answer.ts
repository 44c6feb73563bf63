import type { executeCall } from '@agent-trust/contracts';
import { isCoded, isSuccess, type RoutableTarget } from '@agent-trust/proxy-kit';
import { redactDemand, type Redaction, paymentRequired } from '@agent-trust/x402';
import type { z } from 'zod';
import type { Contacted } from '../contact-agent.ts';
import { headersForCaller } from '../headers.ts';
import { redactPage } from './redact-page.ts';
import { asOneEvent, isEventStream, jsonRpcResponseIn } from './server-sent-events.ts';

export function headOf(
  { headers, statusCode, contentType }: Contacted,
  { messageProtocol }: RoutableTarget,
  { transactionId, redaction }: { transactionId: string | null; redaction: Redaction },
): z.output<typeof executeCall.head> {
  const responseHeaders = headersForCaller(headers, redaction);
  return {
    transactionId,
    statusCode,
    responseHeaders,
    contentType,
    streaming: false,
    // A session whose name contains the agent's address cannot be continued through the registry.
    mcpSessionId: messageProtocol === 'mcp' ? (responseHeaders['mcp-session-id'] ?? null) : null,
    bodyBytes: null,
    position: null,
  };
}

type ShownBody = {
  body: Uint8Array;
  contentType: string | null;
  /** The registry's own text replaces the agent's body. */
  isWithheld: boolean;
};

/** A success unchanged, a demand with the pay address, other pages without the agent's. A compressed page cannot be searched, so it is not shown. */
const shownBody = (
  { statusCode, headers, contentType, body }: Contacted & { kind: 'whole' },
  target: RoutableTarget,
  redaction: Redaction,
): ShownBody => {
  const unchanged = { body, contentType, isWithheld: false };
  if (isSuccess(statusCode)) return unchanged;
  if (isCoded(headers)) return { ...unchanged, body: new Uint8Array() };
  if (statusCode === paymentRequired)
    return { ...unchanged, body: redactDemand({ headers: {}, body }, redaction).body };
  const page = redactPage(body, target.endpointUrl);
  return page.isWithheld ? { ...page, contentType: 'text/plain; charset=utf-8' } : { ...unchanged, body: page.body };
};

/** A whole answer for the caller: one event if it asked for a stream; the response alone if an MCP server wrapped it in one; else the body. */
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
