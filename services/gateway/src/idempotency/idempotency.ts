import { randomInt } from 'node:crypto';
import { type CommandIds, DomainError, faultAt } from '@agent-trust/contracts';
import { pause } from '@agent-trust/limits';
import type { LogWatch } from '@agent-trust/log-state';
import type { Logger } from '@agent-trust/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamBus } from '../bus/key-values.ts';
import { createSealedStore, type SealedStore, ValueTooLargeError } from '../bus/sealed-store.ts';
import { claimTokenOf, mintClaimToken } from '../credentials/keys.ts';
import type { RegistrySecrets } from '../credentials/seal.ts';
import { HttpRefusal } from '../http/error-answer.ts';
import { countedLimiter } from '../rate-limit/counted-limiter.ts';
import { createRateLimiter, minuteCounts } from '../rate-limit/rate-limiter.ts';
import type { Scope } from './credential-scope.ts';
import { deriveKeys, type DerivedKeys, type Answered, type Entry, entry as entrySchema, nextStep } from './entry.ts';
import { idempotencyLimits as limits } from './limits.ts';

export type KeyedRequest = {
  operation: string;
  key: string;
  scope: Scope;
  bodyHash: string;
} & KeyedOptions;

export type KeyedOptions = {
  /** Time that the request may take beyond a usual command. */
  extraLeaseMs?: number;
};

/**
 * The parts of a request that make a repetition have the same effect. The ids are sent with the command; a request without an
 * Idempotency-Key has none, and is carried out each time it is sent.
 */
export type Once = CommandIds & {
  /** A claim token for an agent: random, or for a request with a key the same one each time, since only its hash is stored. */
  claimTokenFor(agentId: string): string;
  /** The value that was chosen when the request was carried out first; if there is none, chooses one and stores it. */
  remember(choose: () => Promise<string | null>): Promise<string | null>;
};

/** A request without an Idempotency-Key. */
export const unrepeated: Once = {
  commandId: null,
  earlierCommandId: null,
  claimTokenFor: mintClaimToken,
  remember: (choose) => choose(),
};

export function claimTokenDerivedFrom(keys: DerivedKeys, parts: readonly string[]) {
  return (agentId: string): string => claimTokenOf(agentId, keys.claimSecretOf([...parts, agentId]));
}

/** A request that this gateway carries out. It ends in exactly one of the three ways. */
export type Held = {
  kind: 'held';
  once: Once;
  /** Keeps the answer for repetitions of the request. */
  answered(status: number, body: unknown): Promise<void>;
  /** Forgets the request: it has written nothing, and may be sent again, also with another body. */
  withdrawn(): Promise<void>;
  /** Lets a repetition carry it out again at once: nobody knows how far this one came. */
  interrupted(): Promise<void>;
};

export type Idempotency = {
  /**
   * Takes a request over, or finds the answer to it; waits while another gateway carries it out. @throws DomainError
   * idempotency_key_reused, idempotency_key_in_use and rate_limited (with Retry-After), unavailable, overloaded.
   */
  take(request: KeyedRequest): Promise<Held | { kind: 'replay'; answer: Answered }>;
};

export function createIdempotency(
  bus: JetStreamBus,
  secrets: RegistrySecrets,
  logger: Logger,
  {
    leaseMs,
    logState,
    now = Date.now,
    waitMs = limits.waitMs,
  }: {
    leaseMs: number;
    /** Which tells how often the operator has accepted another event log: what was answered before may be gone. */
    logState: Pick<LogWatch, 'state' | 'whenKnown'>;
    now?: () => number;
    waitMs?: number;
  },
): Idempotency {
  const keysOfSecrets = secrets.map(deriveKeys);
  // What both gateways of two values write can be opened by each.
  const sealKeys = keysOfSecrets.map(({ seal }) => seal) as [Buffer, ...Buffer[]];
  const entriesIn = (name: string, bytesMax: number): EntryStore => ({
    name,
    ...createSealedStore(bus, sealKeys, entrySchema, {
      name,
      bytesMax,
      ttlMs: limits.lifetimeMs,
      valueBytesMax: limits.entryBytesMax,
      timeoutMs: limits.storeTimeoutMs,
    }),
  });
  const known = entriesIn('idempotency', limits.bucketBytesMax);
  const unaffiliated = entriesIn('idempotency_anonymous', limits.unaffiliatedBucketBytesMax);
  const budget = createBudget(bus, now);
  let waiters = 0;

  /**
   * Derived, so that the same request has the same command even if its entry was lost with the bus's disk: the log then knows what was done.
   * With the day, because a key is new after 24 hours; the day before counts as long as they have not passed.
   */
  const commandIdsFor = ({ bodyHash }: KeyedRequest, { keys, name }: Place): Pick<Entry, keyof CommandIds> => {
    const day = Math.floor(now() / limits.lifetimeMs);
    const idOn = (date: number): string => keys.commandIdOf([name, bodyHash, String(date)]);
    return { commandId: idOn(day), earlierCommandId: idOn(day - 1) };
  };

  /** Reads and decides until the request is answered, refused, or this gateway's own. */
  const take = async (store: EntryStore, place: Place, request: KeyedRequest): Promise<Answered | Taken> => {
    const { name } = place;
    const { bodyHash, extraLeaseMs = 0 } = request;
    const waitEndsAt = Date.now() + waitMs;
    for (let pauseMs: number = limits.pollMinMs; ; pauseMs = Math.min(pauseMs * 2, limits.pollMaxMs)) {
      const kept = await readEntry(store, name).catch(asUnavailable);
      const step = nextStep(kept?.entry ?? null, bodyHash, now());
      switch (step.kind) {
        case 'replay':
          return step.answer;
        case 'refuse_as_reused':
          throw reused();
        case 'run':
        case 'run_again': {
          const entry: Entry = {
            ...(step.kind === 'run' ? { bodyHash, ...commandIdsFor(request, place), remembered: null } : step.entry),
            progress: { kind: 'running', leaseEndsAt: now() + leaseMs + extraLeaseMs },
          };
          const revision = await store.write(name, entry, kept?.revision ?? 0).catch(asUnavailable);
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
      await pause(pauseMs);
      waiters -= 1;
    }
  };

  /** How often another log was accepted. A gateway that has just started waits until it knows. */
  const acceptedLogs = async (): Promise<number> => {
    let state = logState.state();
    if (state === null && waiters < limits.waitersMax) {
      waiters += 1;
      state = await logState.whenKnown();
      waiters -= 1;
    }
    if (state !== null) return state.accepted;
    throw new DomainError('unavailable', 'the Idempotency-Key cannot be checked yet; try again in a moment');
  };

  /** Leaves no trace of an entry, unless it was changed since. The store's own delete leaves a marker for as long as the entry would live. */
  const remove = ({ name }: EntryStore, revision: number): Promise<void> =>
    bus.run(async () => {
      const manager = await jetstreamManager(bus.connection, { timeout: limits.storeTimeoutMs, checkAPI: false });
      await manager.streams.deleteMessage(`KV_${name}`, revision, false);
    });

  /** Where the entry of a request may be: under the present secret, and while that is replaced under the previous one. */
  const placesOf = (parts: readonly string[]): Place[] =>
    keysOfSecrets.map((keys) => ({ keys, name: keys.nameOf(parts) }));

  /**
   * Takes the entry where it is, or makes it under the present secret. While the secret is replaced, another gateway may make it under the
   * other name at the same time. So the maker looks there afterwards: of two, at most one finds nothing, and only that one goes on.
   */
  const takeOnce = async (
    store: EntryStore,
    places: readonly Place[],
    request: KeyedRequest,
  ): Promise<{ place: Place; taken: Answered | Taken }> => {
    const isMade = async ({ name }: Place): Promise<boolean> => (await store.read(name).catch(asUnavailable)) !== null;
    const [present, ...others] = places;
    if (present === undefined) throw new Error('there is a present secret');
    for (let attempt = 1; attempt <= limits.placesTriedMax; attempt += 1) {
      let place = present;
      if (others.length > 0 && !(await isMade(present)))
        for (const other of others) if (await isMade(other)) place = other;
      const taken = await take(store, place, request);
      if (taken.kind === 'answered' || !taken.isNew || others.length === 0) return { place, taken };
      const elsewhere = await Promise.all(places.filter((one) => one !== place).map(isMade));
      if (!elsewhere.includes(true)) return { place, taken };
      await remove(store, taken.revision).catch(asUnavailable);
      await pause(randomInt(limits.pollMinMs, limits.pollMaxMs));
    }
    throw inUse();
  };

  /** The answer to this request stands even if the entry cannot be changed: a repetition then finds its events. */
  const settle = (change: Promise<unknown>): Promise<void> =>
    change.then(
      () => undefined,
      (error: unknown) => logger.warn({ err: error }, 'the outcome of a request with a key could not be kept'),
    );

  return {
    take: async (request) => {
      const { operation, key, scope } = request;
      const store = scope.isUnaffiliated ? unaffiliated : known;
      const accepted = await acceptedLogs();
      const parts = [...(accepted === 0 ? [] : [`log ${accepted}`]), operation, key, ...scope.parts];
      const { place, taken } = await takeOnce(store, placesOf(parts), request);
      const { name, keys } = place;
      if (taken.kind === 'answered') return { kind: 'replay', answer: taken };

      if (taken.isNew && scope.orgId !== null) {
        // By the one request that made the entry, so that concurrent requests under the same key count once.
        await budget.take(scope.orgId, name).catch(async (error: unknown) => {
          await settle(remove(store, taken.revision));
          throw error;
        });
      }
      let { entry, revision } = taken;
      const become = (progress: Entry['progress']) => store.write(name, { ...entry, progress }, revision);
      return {
        kind: 'held',
        once: {
          commandId: entry.commandId,
          earlierCommandId: entry.earlierCommandId,
          claimTokenFor: claimTokenDerivedFrom(keys, parts),
          remember: async (choose) => {
            if (entry.remembered !== null) return entry.remembered;
            const remembered = await choose();
            if (remembered === null) return null;
            const next = { ...entry, remembered };
            const written = await store.write(name, next, revision).catch(asUnavailable);
            // Another gateway took over, and chooses for itself.
            if (written === null) throw inUse();
            [entry, revision] = [next, written];
            return remembered;
          },
        },
        answered: (status, body) =>
          settle(
            ((typeof body === 'string' || body instanceof Uint8Array) && body.length > limits.entryBytesMax
              ? Promise.reject(new ValueTooLargeError())
              : become({ kind: 'answered', status, body: body as Answered['body'] })
            ).catch((error: unknown) => {
              if (error instanceof ValueTooLargeError) return become({ kind: 'interrupted' });
              throw error;
            }),
          ),
        withdrawn: () => settle(remove(store, revision)),
        interrupted: () => settle(become({ kind: 'interrupted' })),
      };
    },
  };
}

type EntryStore = SealedStore<Entry> & { name: string };
/** The name of a request's entry, and the keys that it was made with. */
type Place = { keys: DerivedKeys; name: string };
type Taken = { kind: 'taken'; entry: Entry; revision: number; isNew: boolean };

const readEntry = async (store: EntryStore, name: string): Promise<{ entry: Entry; revision: number } | null> => {
  const kept = await store.read(name);
  return kept === null ? null : { entry: kept.open(), revision: kept.revision };
};

/**
 * How many new keys an organisation's credentials may use in 24 hours, its agents' and both universes' together. Counted in parts, by the
 * entry's name, so that concurrent requests seldom race for one count. A part can be full a little before the whole.
 */
export function createBudget(bus: JetStreamBus, now: () => number) {
  const window = { countMax: limits.budgetPartMax, windowMs: limits.lifetimeMs };
  const counts = {
    ...minuteCounts,
    name: 'idempotency_budgets',
    bytesMax: limits.budgetBucketBytesMax,
    ttlMs: 2 * limits.lifetimeMs,
  };
  const limiter = countedLimiter('idempotency_key', createRateLimiter(bus, window, now, counts));
  return {
    /** @throws DomainError rate_limited (with Retry-After), unavailable, overloaded. */
    take: (orgId: string, entryName: string): Promise<void> => {
      const part = Number.parseInt(entryName.slice(0, 8), 16) % limits.budgetParts;
      return limiter.take(`keys of ${orgId}, part ${part}`);
    },
  };
}

/** Without the entry the request might be carried out twice, so it is refused. */
const asUnavailable = (error: unknown): never => {
  throw new DomainError('unavailable', 'the Idempotency-Key cannot be checked now; try again', { cause: error });
};

const reused = (): DomainError =>
  faultAt(
    'idempotency_key_reused',
    ['header', 'idempotency-key'],
    'was sent with another body before; use a new key for another request',
  );

const inUse = (): HttpRefusal =>
  new HttpRefusal(
    new DomainError(
      'idempotency_key_in_use',
      'the request that this key was sent with first is still being carried out',
    ),
    { headers: { 'retry-after': String(limits.retryAfterSeconds) } },
  );
