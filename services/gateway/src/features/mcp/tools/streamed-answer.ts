import type { ToolArguments } from '@agent-trust/contracts';
import type { WatchStream } from '../invoke-route.ts';
import { mcpLimits, toolLimits } from '../limits.ts';
import { isNestedDeeper } from '../nesting.ts';

type StreamedEvent = { data: unknown; event?: string; id?: string };

/**
 * The answer of a call that came as server-sent events: a call response whose body is the list of events, each with its data (JSON if it is
 * JSON), and whose other fields come from headers.
 */
export function streamedAnswer(
  given: ToolArguments,
  headers: Record<string, string>,
  text: string,
): Record<string, unknown> {
  const transactionId = headers['x-registry-transaction-id'] ?? '';
  const payVia = headers['x-registry-pay-via'];
  return {
    agent_id: given['agent_id'],
    transaction_id: transactionId,
    status_code: Number(headers['x-registry-status-code'] ?? 200),
    body: eventsOf(text),
    response_headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => toolLimits.streamedHeaders.includes(name)),
    ),
    review_reminder:
      transactionId === ''
        ? null
        : `Rate this exchange by review_transaction with transaction_id ${transactionId}: success says whether you got what you asked for, score is 1 (very bad) to 10 (excellent).`,
    fallback_suggestion: null,
    mcp_session_id: headers['mcp-session-id'] ?? null,
    next_step:
      payVia === undefined
        ? null
        : `The agent asks for payment: repeat the call with the payment in x_payment (x402 version 2: payment_signature), or pay at ${payVia}.`,
    ...(payVia === undefined ? {} : { pay_via: payVia }),
  };
}

const eventsOf = (text: string): StreamedEvent[] =>
  text.split(/\r\n\r\n|\n\n|\r\r/u).flatMap((block) => {
    const event = eventOf(block);
    return event === null ? [] : [event];
  });

/** One event of a stream (HTML, "Server-sent events"); null for a block without data, such as a comment. */
const eventOf = (block: string): StreamedEvent | null => {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r\n|\n|\r/u)) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  const data = fields.get('data');
  if (data === undefined) return null;
  const [event, id] = [fields.get('event')?.at(-1), fields.get('id')?.at(-1)];
  return {
    data: jsonOrText(data.join('\n')),
    ...(event === undefined ? {} : { event }),
    ...(id === undefined ? {} : { id }),
  };
};

/** JSON that is nested too deep for JSON.stringify stays text. */
const jsonOrText = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedDeeper(value, mcpLimits.nestingMax) ? text : value;
  } catch {
    return text;
  }
};

/**
 * Reports each event to the client as it comes, cut to the length of a progress message. The result has everything, so an incomplete event
 * at the end, or one that is too long, is not reported.
 */
export function createEventTeller(tell: (progress: number, message: string) => Promise<void>): WatchStream {
  const decoder = new TextDecoder();
  let rest = '';
  let reported = 0;
  let gaveUp = false;
  return async (piece) => {
    if (gaveUp) return;
    const blocks = (rest + decoder.decode(piece, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/u);
    rest = blocks.pop() ?? '';
    // Searching for its end again would cost more with each piece.
    gaveUp = rest.length > toolLimits.watchedEventCharsMax;
    if (gaveUp) rest = '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event === null) continue;
      reported += 1;
      const message = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
      await tell(reported, message.slice(0, toolLimits.progressMessageCharsMax).toWellFormed());
    }
  };
}
