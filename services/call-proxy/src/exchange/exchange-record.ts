import {
  callWaitsMs,
  exchangeCompleted,
  exchangeFailed,
  exchangeStarted,
  exchangeStream,
} from '@agent-trust/contracts';
import type { ExchangeCompleted, ExchangeFailed, ExchangeStarted, Universe } from '@agent-trust/contracts';
import type { EventLog, EventMetadata, ExpectedRevision, JsonObject } from '@agent-trust/event-log';
import { EventLogError } from '@agent-trust/event-log';
import { backoffMs, pause } from '@agent-trust/limits';
import { callProxyLimits } from '../limits.ts';

/**
 * The agent was contacted, and how that ended is not on record: the log stayed away, or this proxy was held up for so long that its
 * exchange was ended as abandoned meanwhile. The first end stands.
 */
export class EndUnrecordedError extends Error {
  readonly transactionId: string;

  constructor(transactionId: string, options: { cause: unknown }) {
    super(
      'The agent was contacted, but how the exchange ended could not be put on record; it counts as abandoned.',
      options,
    );
    this.name = 'EndUnrecordedError';
    this.transactionId = transactionId;
  }
}

export type ExchangeParties = {
  transactionId: string;
  callerAgentId: string;
  receiverAgentId: string;
  universe: Universe;
};

/** What of the request goes into the exchange's first event. */
export type ExchangeOpening = Omit<ExchangeStarted['data'], keyof ExchangeParties | 'startedAt'>;
export type ExchangeAnswer = Pick<ExchangeCompleted['data'], 'statusCode' | 'responseDigest' | 'responseBytes'>;

export type ExchangeRecordDeps = { log: EventLog; newId: () => string; now: () => Date };

/**
 * An exchange that stands in the log and has no end yet. Exactly one of `complete` and `fail` may be called, once; either rejects with
 * EndUnrecordedError when its event is not in the log.
 */
export type OpenExchange = {
  transactionId: string;
  /** Writes that the agent answered. Resolves with the log position when that is durable. */
  complete(answer: ExchangeAnswer): Promise<bigint>;
  /** Writes that it did not, or that the answer broke off. */
  fail(reason: ExchangeFailed['data']['reason']): Promise<bigint>;
};

/**
 * Writes that an exchange begins, and resolves when that is durable: only then may the agent be contacted, so that whatever
 * crashes, every contacted call has its record. Its end expects that event to be the last, so an exchange cannot
 * end twice.
 *
 * @throws EventLogError when the log does not take the first event; nothing was sent to the agent then.
 */
export async function openExchange(
  deps: ExchangeRecordDeps,
  parties: ExchangeParties,
  opening: ExchangeOpening,
  metadata: EventMetadata,
): Promise<OpenExchange> {
  const stream = exchangeStream(parties.transactionId);
  const startedAt = deps.now();
  const write = async (
    definition: typeof exchangeStarted | typeof exchangeCompleted | typeof exchangeFailed,
    data: JsonObject,
    expectedRevision: ExpectedRevision,
    eventId: string,
    deadlineMs: number,
  ): Promise<bigint> => {
    const checked = definition.schema.parse(data) as JsonObject;
    const event = {
      eventId,
      type: definition.type,
      data: checked,
      metadata: { ...metadata, schemaVersion: definition.version },
    };
    return (await deps.log.append(stream, [event], { expectedRevision, deadlineMs })).position;
  };

  await write(
    exchangeStarted,
    { ...parties, ...opening, startedAt: startedAt.toISOString() },
    'no_stream',
    deps.newId(),
    callWaitsMs.startRecord,
  );

  const end = async (
    definition: typeof exchangeCompleted | typeof exchangeFailed,
    data: JsonObject,
  ): Promise<bigint> => {
    const eventId = deps.newId();
    const giveUpAt = deps.now().getTime() + callWaitsMs.endRecord;
    const { first, longest } = callProxyLimits.recordEndPauseMs;
    for (let retries = 0; ; retries += 1) {
      try {
        // The same event id at each attempt: an append whose outcome was unknown is not written twice.
        return await write(definition, data, 0n, eventId, Math.max(1, giveUpAt - deps.now().getTime()));
      } catch (error) {
        if (!(error instanceof EventLogError)) throw error;
        const pauseMs = backoffMs(retries, { firstMs: first, longestMs: longest, jitter: 0 });
        const cannotPass = !error.retryable || deps.now().getTime() + pauseMs >= giveUpAt;
        if (cannotPass) throw new EndUnrecordedError(parties.transactionId, { cause: error });
        await pause(pauseMs);
      }
    }
  };
  const elapsed = (): { durationMs: number; at: string } => {
    const now = deps.now();
    return { durationMs: Math.max(0, now.getTime() - startedAt.getTime()), at: now.toISOString() };
  };

  return {
    transactionId: parties.transactionId,
    complete: (answer) => {
      const { durationMs, at } = elapsed();
      return end(exchangeCompleted, { ...parties, ...answer, durationMs, completedAt: at });
    },
    fail: (reason) => {
      const { durationMs, at } = elapsed();
      return end(exchangeFailed, { ...parties, reason, durationMs, failedAt: at });
    },
  };
}
