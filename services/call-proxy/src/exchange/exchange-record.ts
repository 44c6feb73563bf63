import {
  callWaitsMs,
  type ExchangeCompleted,
  type ExchangeFailed,
  type ExchangeStarted,
  exchangeCompleted,
  exchangeFailed,
  exchangeStarted,
  exchangeStream,
  type Universe,
} from '@agent-trust/contracts';
import { EventLogError, type EventLog, type EventMetadata, type JsonObject } from '@agent-trust/event-log';
import { retry } from '@agent-trust/limits';
import { RpcRefusal } from '@agent-trust/nats-rpc';
import { proxyLimits } from '@agent-trust/proxy-kit';

/** The agent was contacted, but the log stayed unavailable, or this exchange was ended as abandoned meanwhile: the first end stands. */
export class EndUnrecordedError extends RpcRefusal {
  constructor(transactionId: string, cause: unknown) {
    super(
      'unavailable',
      'The agent was contacted, but the end of the exchange could not be recorded; the exchange counts as abandoned.',
      { data: { transactionId } },
    );
    this.cause = cause;
  }
}

export type ExchangeParties = {
  transactionId: string;
  callerAgentId: string;
  receiverAgentId: string;
  universe: Universe;
};

/** The part of the exchange's first event that comes from the request. */
export type ExchangeOpening = Omit<ExchangeStarted['data'], keyof ExchangeParties | 'startedAt'>;
export type ExchangeAnswer = Pick<ExchangeCompleted['data'], 'statusCode' | 'responseDigest' | 'responseBytes'>;

export type ExchangeRecordDeps = { log: EventLog; newId: () => string; now: () => Date };

/** An exchange without an end. Call exactly one of `complete` and `fail`, once; both reject with EndUnrecordedError if their event is not in the log. */
export type OpenExchange = {
  transactionId: string;
  /** Records that the agent answered. Resolves with the log position once that is durable. */
  complete(answer: ExchangeAnswer): Promise<bigint>;
  /** Records that the agent did not answer, or that the answer broke off. */
  fail(reason: ExchangeFailed['data']['reason']): Promise<bigint>;
};

/**
 * Records the start of an exchange, and resolves once that is durable: only then may the agent be contacted, so that after any crash every contacted
 * call has its record. The end expects the start to be the last event, so an exchange cannot end twice.
 *
 * @throws EventLogError if the log does not take the first event; nothing was sent to the agent.
 */
export async function openExchange(
  deps: ExchangeRecordDeps,
  parties: ExchangeParties,
  opening: ExchangeOpening,
  metadata: EventMetadata,
): Promise<OpenExchange> {
  const { transactionId } = parties;
  const startedAt = deps.now();
  const write = async (
    { type, version }: typeof exchangeStarted | typeof exchangeCompleted | typeof exchangeFailed,
    data: JsonObject,
    expectedRevision: 'no_stream' | 0n,
    eventId: string,
    deadlineMs: number,
  ): Promise<bigint> => {
    const event = { eventId, type, data, metadata: { ...metadata, schemaVersion: version } };
    return (await deps.log.append(exchangeStream(transactionId), [event], { expectedRevision, deadlineMs })).position;
  };

  // Types hold what is written to the schemas: parsing it again would be a large part of the proxy's own work. Readers parse it.
  const start: ExchangeStarted['data'] = { ...parties, ...opening, startedAt: startedAt.toISOString() };
  await write(exchangeStarted, start, 'no_stream', deps.newId(), callWaitsMs.startRecord);

  const end = async (
    definition: typeof exchangeCompleted | typeof exchangeFailed,
    dataOf: (durationMs: number, endedAt: string) => ExchangeCompleted['data'] | ExchangeFailed['data'],
  ): Promise<bigint> => {
    const endedAt = deps.now();
    const data = dataOf(Math.max(0, endedAt.getTime() - startedAt.getTime()), endedAt.toISOString());
    // Each attempt has the same event id: an append whose result is unknown is not written twice.
    const eventId = deps.newId();
    try {
      return await retry((leftMs) => write(definition, data, 0n, eventId, leftMs), {
        backoff: proxyLimits.appendBackoff,
        timeoutMs: callWaitsMs.endRecord,
        mayRetry: (error) => error instanceof EventLogError && error.retryable,
        now: () => deps.now().getTime(),
      });
    } catch (error) {
      throw error instanceof EventLogError ? new EndUnrecordedError(transactionId, error) : error;
    }
  };

  return {
    transactionId,
    complete: (answer) =>
      end(exchangeCompleted, (durationMs, completedAt): ExchangeCompleted['data'] => ({
        ...parties,
        ...answer,
        durationMs,
        completedAt,
      })),
    fail: (reason) =>
      end(exchangeFailed, (durationMs, failedAt): ExchangeFailed['data'] => ({
        ...parties,
        reason,
        durationMs,
        failedAt,
      })),
  };
}
