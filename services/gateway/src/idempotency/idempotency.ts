import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent-trust/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { createBudget } from './budget.ts';
import type { Scope } from './credential-scope.ts';
import { deriveKeys } from './derived-keys.ts';
import { type Answered, type Entry, nextStep } from './entry.ts';
import { createEntryStore, type EntryStore, EntryTooLargeError } from './entry-store.ts';
import { idempotencyLimits as limits } from './limits.ts';
import { claimTokenDerivedFrom, type Once } from './once.ts';
import { asUnavailable, inUse, reused } from './refusals.ts';

export type KeyedRequest = {
  /** Operation id of the route. */
  operation: string;
  key: string;
  scope: Scope;
  bodyHash: string;
} & KeyedOptions;

export type KeyedOptions = {
  /** What the request may take beyond a usual command. */
  extraLeaseMs?: number;
  /**
   * Whether the same request, coming again on the same day, is given the same command even where its entry was lost: for what reaches
   * beyond the registry and cannot be undone. A key is new after 24 hours all the same, since a day has passed by then.
   */
  derivesCommand?: boolean;
};

/** A request that is now this gateway's to carry out. It ends in exactly one of the three ways. */
export type Held = {
  kind: 'held';
  once: Once;
  /** Keeps the answer for whoever repeats the request. */
  answered(status: number, body: unknown): Promise<void>;
  /** Forgets the request: it has written nothing, and may be asked anew, also in other words. */
  withdrawn(): Promise<void>;
  /** Lets a repetition carry it out again at once: nobody knows how far this one came. */
  interrupted(): Promise<void>;
};

export type Idempotency = {
  /**
   * Takes a request in hand, or finds the answer to it. Waits for another gateway that has it in hand.
   *
   * @throws DomainError idempotency_key_reused, idempotency_key_in_use and rate_limited (with Retry-After), unavailable, overloaded.
   */
  take(request: KeyedRequest): Promise<Held | { kind: 'replay'; answer: Answered }>;
};

export function createIdempotency(
  connection: NatsConnection,
  secret: string,
  logger: Logger,
  { leaseMs, now = Date.now, waitMs = limits.waitMs }: { leaseMs: number; now?: () => number; waitMs?: number },
): Idempotency {
  const keys = deriveKeys(secret);
  const known = createEntryStore(connection, keys.seal, { name: 'idempotency', bytesMax: limits.bucketBytesMax });
  const budget = createBudget(connection, now);
  const unaffiliated = createEntryStore(connection, keys.seal, {
    name: 'idempotency_strangers',
    bytesMax: limits.unaffiliatedBucketBytesMax,
  });
  let waiters = 0;

  const commandIdFor = ({ derivesCommand, bodyHash }: KeyedRequest, name: string): string =>
    derivesCommand === true
      ? keys.commandIdOf([name, bodyHash, String(Math.floor(now() / limits.lifetimeMs))])
      : randomUUID();

  /** Reads and decides until the request is answered, refused, or this gateway's own. */
  const take = async (store: EntryStore, name: string, request: KeyedRequest): Promise<Answered | Taken> => {
    const { bodyHash, extraLeaseMs = 0 } = request;
    const waitEndsAt = Date.now() + waitMs;
    for (let pauseMs: number = limits.pollMinMs; ; pauseMs = Math.min(pauseMs * 2, limits.pollMaxMs)) {
      const kept = await store.read(name).catch(asUnavailable);
      const step = nextStep(kept?.entry ?? null, bodyHash, now());
      switch (step.kind) {
        case 'replay':
          return step.answer;
        case 'refuse_as_reused':
          throw reused();
        case 'run':
        case 'run_again': {
          const entry: Entry = {
            ...(step.kind === 'run'
              ? { bodyHash, commandId: commandIdFor(request, name), remembered: null }
              : step.entry),
            progress: { kind: 'running', leaseEndsAt: now() + leaseMs + extraLeaseMs },
          };
          const revision = await store.write(name, entry, kept?.revision ?? null).catch(asUnavailable);
          if (revision !== null) return { kind: 'taken', entry, revision, isNew: step.kind === 'run' };
          break;
        }
        case 'wait':
          break;
        default:
          step satisfies never;
      }
      if (Date.now() + pauseMs > waitEndsAt || waiters >= limits.waitersMax) throw inUse();
      waiters += 1;
      await delay(pauseMs).finally(() => (waiters -= 1));
    }
  };

  /** The answer to this request stands, whatever becomes of the entry: a repetition would then find its events. */
  const settle = (change: Promise<unknown>): Promise<void> =>
    change.then(
      () => undefined,
      (error: unknown) => logger.warn({ err: error }, 'the outcome of a request with a key could not be kept'),
    );

  return {
    take: async (request) => {
      const { operation, key, scope } = request;
      const store = scope.isUnaffiliated ? unaffiliated : known;
      const parts = [operation, key, ...scope.parts];
      const name = keys.nameOf(parts);
      const taken = await take(store, name, request);
      if (taken.kind === 'answered') return { kind: 'replay', answer: taken };

      if (taken.isNew && scope.orgId !== null) {
        // By the one request that made the entry, so that those at once under the same key count once.
        await budget.take(scope.orgId, name).catch(async (error: unknown) => {
          await settle(store.remove(taken.revision));
          throw error;
        });
      }
      let { entry, revision } = taken;
      const become = (progress: Entry['progress']) => store.write(name, { ...entry, progress }, revision);
      return {
        kind: 'held',
        once: {
          commandId: entry.commandId,
          claimTokenFor: claimTokenDerivedFrom(keys, parts),
          remember: async (choose) => {
            if (entry.remembered !== null) return entry.remembered;
            const remembered = await choose();
            if (remembered === null) return null;
            const next = { ...entry, remembered };
            const written = await store.write(name, next, revision).catch(asUnavailable);
            // Another gateway took this one for dead, and chooses for itself.
            if (written === null) throw inUse();
            [entry, revision] = [next, written];
            return remembered;
          },
        },
        answered: (status, body) =>
          settle(
            // A text that cannot fit is not even sealed.
            (typeof body === 'string' && body.length > limits.entryBytesMax
              ? Promise.reject(new EntryTooLargeError())
              : become({ kind: 'answered', status, body: body as Answered['body'] })
            ).catch((error: unknown) => {
              if (error instanceof EntryTooLargeError) return become({ kind: 'interrupted' });
              throw error;
            }),
          ),
        withdrawn: () => settle(store.remove(revision)),
        interrupted: () => settle(become({ kind: 'interrupted' })),
      };
    },
  };
}

type Taken = { kind: 'taken'; entry: Entry; revision: number; isNew: boolean };
