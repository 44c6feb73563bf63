import { hash } from 'node:crypto';
import { settlementRecorded } from '@agent-trust/contracts';
import { type EventLog, EventLogError, type NewEvent, WrongExpectedRevisionError } from '@agent-trust/event-log';
import { pause, withDeadline, DeadlineError } from '@agent-trust/limits';
import { type AttributesOf, counter } from '@agent-trust/metrics';
import type { JetStreamLink } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import { jetstream, jetstreamManager, type MsgRequest, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { z } from 'zod';
import { proxyLimits as limits } from '../limits.ts';

/** A settlement that the log has not taken: its event, and the stream that it starts. */
export type Unrecorded = { stream: string; event: NewEvent };

/** Settlements that the log could not take, until it does. Any proxy brings them there, whichever kept them. */
export type SettlementOutbox = {
  /** Keeps a settlement, on the bus's disk; while that takes nothing either, in this process. Never throws. */
  keep(settlement: Unrecorded): Promise<void>;
  /** Ends the attempts. What only this process has goes to its log. */
  stop(): Promise<void>;
};

const unrecorded = z.object({
  stream: z.string(),
  event: z.object({
    eventId: z.uuid(),
    type: z.literal(settlementRecorded.type),
    data: settlementRecorded.schema,
    metadata: z.looseObject({}),
  }),
});

const late = counter('registry.settlements.late');
const count = (result: AttributesOf<'registry.settlements.late'>['registry.result']): void =>
  late.with({ 'registry.result': result }).add();

const bucketName = 'settlement_outbox';

/**
 * Starts a stream with a settlement. Resolves with its log position, or null if it is on record: a stream is written once, and each attempt has the same
 * event id.
 */
export async function appendSettlement(
  log: Pick<EventLog, 'append'>,
  { stream, event }: Unrecorded,
  deadlineMs: number,
): Promise<bigint | null> {
  try {
    return (await log.append(stream, [event], { expectedRevision: 'no_stream', deadlineMs })).position;
  } catch (error) {
    if (error instanceof WrongExpectedRevisionError) return null;
    throw error;
  }
}

const isRetryable = (error: unknown): boolean => error instanceof EventLogError && error.retryable;

export function startSettlementOutbox(
  log: Pick<EventLog, 'append'>,
  bus: Pick<JetStreamLink, 'connection' | 'run'>,
  logger: Logger,
  sweepMs: number = limits.outboxSweepMs,
): SettlementOutbox {
  const stopping = new AbortController();
  /** What the bus has not taken either. */
  const held = new Map<string, Unrecorded>();
  const clientOptions = { timeout: limits.outboxTimeoutMs, checkAPI: false };

  const open = (): Promise<KV> =>
    new Kvm(jetstream(bus.connection, clientOptions)).create(bucketName, {
      storage: StorageType.File,
      history: 1,
      max_bytes: limits.outboxBytesMax,
      maxValueSize: limits.outboxEntryBytesMax,
      allow_direct: false,
    });
  /** Under the name of its settlement, so that one that is reported again is kept once. */
  const put = (settlement: Unrecorded): Promise<unknown> =>
    withDeadline(
      bus.run(async () => (await open()).put(hash('sha256', settlement.stream, 'hex'), JSON.stringify(settlement))),
      limits.outboxTimeoutMs,
      () => new DeadlineError('keeping a settlement', limits.outboxTimeoutMs),
    );
  const byHand = (settlement: Unrecorded, err: unknown): void => {
    count('by_hand');
    logger.error({ err, ...settlement }, 'a settlement could not be recorded: record it by hand');
  };

  /** Whether it is done with: on record, or nothing that the log takes. */
  const record = async (settlement: Unrecorded): Promise<boolean> => {
    try {
      await appendSettlement(log, settlement, limits.outboxAppendMs);
    } catch (error) {
      if (isRetryable(error)) return false;
      byHand(settlement, error);
      return true;
    }
    count('recorded');
    logger.info({ stream: settlement.stream }, 'a settlement is on record now');
    return true;
  };

  const sweepHeld = async (): Promise<void> => {
    for (const [key, settlement] of held) {
      const isDone =
        (await record(settlement)) ||
        (await put(settlement).then(
          () => true,
          () => false,
        ));
      if (!isDone) return;
      held.delete(key);
    }
  };
  const sweepBucket = async (): Promise<void> => {
    const manager = await jetstreamManager(bus.connection, clientOptions);
    const name = `KV_${bucketName}`;
    for (let seq = 1; !stopping.signal.aborted; seq += 1) {
      const question = { seq, next_by_subj: `$KV.${bucketName}.>` };
      // The client's types do not know this question, which its server does.
      const found = await manager.streams.getMessage(name, question as unknown as MsgRequest).catch(() => null);
      if (found === null) return;
      seq = found.seq;
      const kept = unrecorded.safeParse(readJson(found.string()));
      if (!kept.success) logger.error({ seq, err: kept.error }, 'what the outbox of settlements holds cannot be read');
      else if (!(await record(kept.data as unknown as Unrecorded))) return;
      else await manager.streams.deleteMessage(name, seq, false);
    }
  };
  const sweep = async (): Promise<void> => {
    // Not all proxies at the same moment.
    while (await pause(sweepMs * (0.5 + Math.random()), stopping.signal)) {
      await sweepHeld();
      await bus
        .run(sweepBucket)
        .catch((err: unknown) => logger.debug({ err }, 'the outbox of settlements cannot be read'));
    }
  };
  const sweeping = sweep();

  return {
    keep: async (settlement) => {
      try {
        await put(settlement);
        count('kept');
        logger.warn({ stream: settlement.stream }, 'a settlement waits for the event log');
      } catch (error) {
        if (held.size >= limits.outboxHeldMax) return byHand(settlement, error);
        held.set(settlement.stream, settlement);
        count('held');
        // With the event: this process may be killed.
        logger.error({ err: error, ...settlement }, 'a settlement waits in this process alone for the event log');
      }
    },
    stop: async () => {
      stopping.abort();
      await sweeping;
      await sweepHeld();
      for (const settlement of held.values()) byHand(settlement, new Error('the process ends'));
    },
  };
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
