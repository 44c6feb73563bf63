import { edgeLimits } from '../../limits.ts';
import type { CallHead } from './call-response.ts';

/**
 * Headers of an agent's answer that a caller of a stream cannot do without, since no body tells them: what is to be paid, and that it was
 * paid (x402 v1 and v2), whose credentials are wanted, and when to come again.
 */
const passedOn = ['payment-required', 'payment-response', 'x-payment-response', 'www-authenticate', 'retry-after'];

/** What may stand in a header's value (RFC 9110 §5.5). */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/u;

const agentsHeaders = ({ responseHeaders }: CallHead): Record<string, string> =>
  Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = responseHeaders[name];
      // A client that cannot take so much in headers would lose the whole answer.
      const fits = value !== undefined && value.length <= edgeLimits.streamedHeaderCharsMax && headerValue.test(value);
      return fits ? [[name, value]] : [];
    }),
  );

/**
 * The headers of a streamed answer.
 *
 * @param payVia Where to pay for this call; null for one that asks for no payment.
 */
export function streamHead(head: CallHead, payVia: string | null): Record<string, string> {
  return {
    ...agentsHeaders(head),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Asks reverse proxies not to buffer.
    'x-accel-buffering': 'no',
    // A stream has no body field for the agent's own status: a 402 or a 500 would look like any other event.
    'x-registry-status-code': String(head.statusCode),
    ...(head.transactionId === null ? {} : { 'x-registry-transaction-id': head.transactionId }),
    ...(payVia === null ? {} : { 'x-registry-pay-via': payVia }),
    ...(head.mcpSessionId === null ? {} : { 'mcp-session-id': head.mcpSessionId }),
  };
}
