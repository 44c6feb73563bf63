import { callWaitsMs, type ErrorCode, exchangeEvents, exchangeStream, idsToFind } from '@agent-trust/contracts';
import {
  createEventRegistry,
  EventLogUnavailableError,
  eventIdOfCommand,
  type RecordedEvent,
} from '@agent-trust/event-log';
import { withDeadline } from '@agent-trust/limits';
import { type JsonValue, RpcRefusal } from '@agent-trust/nats-rpc';
import type { Call } from '../call.ts';
import { findFallback } from '../fallback.ts';
import { callFailureText } from './end-call.ts';

const registry = createEventRegistry(exchangeEvents);

/**
 * Refuses a call whose command has left an exchange before: the agent may have been contacted, and a command contacts it once. The log has the end
 * of that exchange, but not the agent's answer.
 *
 * @throws RpcRefusal `idempotency_key_in_use` while the exchange is open; as the first time, `downstream_failed`, if it failed; `call_already_made`
 *   if it was completed or abandoned; each with `data.transactionId`.
 */
export async function refuseIfMade(call: Call): Promise<void> {
  const { deps, input } = call;
  const ids = idsToFind(input, deps.now());
  if (ids.length === 0) return;
  // The log's own reads may take far longer, and so far no work would be lost.
  const found = await withDeadline(
    Promise.all(ids.map(({ commandId, since }) => readExchange(call, commandId, since))),
    callWaitsMs.madeLookup,
    () => new EventLogUnavailableError(`no answer within ${callWaitsMs.madeLookup} ms`),
  );
  const made = found.find((exchange) => exchange !== null);
  if (made == null) return;
  const { transactionId, end } = made;
  const refuse = (code: ErrorCode, detail: string, data: Record<string, JsonValue> = {}): never => {
    throw new RpcRefusal(code, detail, { data: { transactionId, ...data } });
  };
  if (end === undefined) {
    return refuse('idempotency_key_in_use', 'The call that this key was sent with first has not ended yet.');
  }
  const event = registry.decodeKnown(end);
  const position = String(end.position);
  switch (event.type) {
    case 'ExchangeFailed': {
      const { reason } = event.data;
      const fallbackAgentId = reason === 'cancelled' ? null : await findFallback(call);
      return refuse('downstream_failed', callFailureText[reason], { position, fallbackAgentId });
    }
    case 'ExchangeCompleted': {
      const { statusCode } = event.data;
      const detail = `The call that this key was sent with first was made and answered with status ${statusCode}. Its answer is not kept, and it is not made again.`;
      return refuse('call_already_made', detail, { position, outcome: 'completed', statusCode });
    }
    case 'ExchangeAbandoned': {
      const detail =
        'The call that this key was sent with first was started, and its result is unknown: the agent may have got it. It is not made again.';
      return refuse('call_already_made', detail, { position, outcome: 'abandoned', statusCode: null });
    }
    default:
      throw new Error(`the second event of exchange ${transactionId} is ${event.type}`);
  }
}

type Made = { transactionId: string; end: RecordedEvent | undefined };

const readExchange = async ({ deps }: Call, commandId: string, since: Date): Promise<Made | null> => {
  const transactionId = transactionIdOf(commandId, deps.newId);
  const [start, end] = await deps.log.readStream(exchangeStream(transactionId));
  return start === undefined || start.recordedAt < since ? null : { transactionId, end };
};

/** Random, or derived from the command, so that all proxies find one exchange for it. It reveals nothing about the command's id. */
export function transactionIdOf(commandId: string | null, newId: () => string): string {
  return commandId === null ? newId() : eventIdOfCommand(commandId, 'exchange', 0);
}
