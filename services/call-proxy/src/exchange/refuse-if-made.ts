import { callWaitsMs, type ErrorCode, exchangeEvents, exchangeStream } from '@agent-trust/contracts';
import { createEventRegistry, EventLogUnavailableError, eventIdOfCommand } from '@agent-trust/event-log';
import { withDeadline } from '@agent-trust/limits';
import { type JsonValue, RpcRefusal } from '@agent-trust/nats-rpc';
import type { Call } from '../call.ts';
import { failureText } from '../fail-call.ts';
import { findFallback } from '../fallback.ts';

const registry = createEventRegistry(exchangeEvents);

/**
 * Refuses a call whose command was given before and has left an exchange: its agent may have been contacted, and a command contacts it
 * once. How that ended stands in the log and is told; the answer itself does not stand there.
 *
 * @throws RpcRefusal `idempotency_key_in_use` while the exchange is open, `downstream_failed` as the first time when it failed,
 *   `call_already_made` when it was completed or abandoned; each with `data.transactionId`.
 */
export async function refuseIfMade(call: Call): Promise<void> {
  const { deps, input } = call;
  if (input.commandId === null) return;
  const transactionId = transactionIdOf(input.commandId, deps.newId);
  // The log's own reads may take far longer, and nothing has been done yet that would be worth the wait.
  const recorded = await withDeadline(
    deps.log.readStream(exchangeStream(transactionId)),
    callWaitsMs.madeLookup,
    () => new EventLogUnavailableError(`no answer within ${callWaitsMs.madeLookup} ms`),
  );
  if (recorded.length === 0) return;
  const end = recorded[1];
  if (end === undefined) {
    throw refusal('idempotency_key_in_use', 'The call that this key was sent with first has no end yet.', {
      transactionId,
    });
  }
  const event = registry.decodeKnown(end);
  const known = { transactionId, position: String(end.position) };
  switch (event.type) {
    case 'ExchangeFailed': {
      const fallbackAgentId = event.data.reason === 'cancelled' ? null : await findFallback(call);
      throw refusal('downstream_failed', failureText[event.data.reason], { ...known, fallbackAgentId });
    }
    case 'ExchangeCompleted':
      throw refusal(
        'call_already_made',
        `The call that this key was sent with first was made and answered with status ${event.data.statusCode}. Its answer is not kept, and it is not made again.`,
        { ...known, outcome: 'completed', statusCode: event.data.statusCode },
      );
    case 'ExchangeAbandoned':
      throw refusal(
        'call_already_made',
        'The call that this key was sent with first was begun, and nobody knows how it ended: the agent may have got it. It is not made again.',
        { ...known, outcome: 'abandoned', statusCode: null },
      );
    default:
      throw new Error(`the second event of exchange ${transactionId} is ${event.type}`);
  }
}

const refusal = (code: ErrorCode, detail: string, data: Record<string, JsonValue>): RpcRefusal =>
  new RpcRefusal(code, detail, { data });

/**
 * The id of a call's exchange: random, or for a call that may be repeated the one that its command leads to, so that every proxy which is
 * given the command finds the same exchange. It tells nothing about the command's id.
 */
export function transactionIdOf(commandId: string | null, newId: () => string): string {
  return commandId === null ? newId() : eventIdOfCommand(commandId, 'exchange', 0);
}
