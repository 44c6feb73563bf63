import type { executeCall } from '@agent-trust/contracts';
import type { RoutableTarget } from '@agent-trust/proxy-kit';
import { redactDemand, type Redaction, paymentRequired } from '@agent-trust/x402';
import type { z } from 'zod';
import type { Contacted } from '../contact-agent.ts';
import { headersForCaller } from '../headers.ts';
import { isCoded, isSuccess } from './answer-kind.ts';
import { redactPage } from './redact-page.ts';
import { asOneEvent, isEventStream, jsonRpcResponseIn } from './server-sent-events.ts';

/** The answer's status and headers as the caller sees them. */
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
    position: null,
  };
}

type ShownBody = {
  body: Uint8Array;
  contentType: string | null;
  /** The registry's own text replaces the agent's body. */
  isWithheld: boolean;
};

/**
 * A successful answer unchanged; a payment demand with the pay address in it; other pages, which often name their host, without its address. A
 * compressed page is not shown, because it cannot be searched.
 */
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

/**
 * A whole answer as the caller sees it: as one event if the caller asked for a stream, and the response alone if an MCP server wrapped it in a
 * stream. A compressed body is passed on as bytes of any kind.
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
