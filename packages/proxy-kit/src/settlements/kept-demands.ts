import { createHash } from 'node:crypto';
import type { Universe } from '@agent-trust/contracts';
import { DeadlineError, withDeadline } from '@agent-trust/limits';
import type { JetStreamLink } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import type { Requirement } from '@agent-trust/x402';
import { JetStreamApiCodes, JetStreamApiError, jetstream, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { z } from 'zod';
import { proxyLimits as limits } from '../limits.ts';

/** What is known of a demand when its payment arrives: the ways to pay, and the texts that the pay address replaced. */
export type KeptDemand = { requirements: Requirement[]; originals: string[] };

/** Whose demand it is: an agent, the organisation that vouches for it, and the query of the request. */
export type DemandPlace = { agentId: string; orgId: string | null; universe: Universe; query: string };

/**
 * The last demands, shared by all proxies. Best effort: without its demand a payment still goes through, and its settlement says less. So neither
 * function fails, or takes longer than `demandTimeoutMs`.
 */
export type KeptDemands = {
  /** A demand that is too long, or finds no room, is not kept, and removes its predecessor, which would be wrong. */
  keep(place: DemandPlace, demand: KeptDemand): Promise<void>;
  /** An empty demand if none is known for this agent and query. */
  find(place: DemandPlace): Promise<KeptDemand>;
};

const nothing: KeptDemand = { requirements: [], originals: [] };

const nullableText = z.string().nullable();
const keptDemand = z.object({
  /** Distinguishes queries that share a place. */
  queryDigest: z.string(),
  requirements: z.array(
    z.object({
      scheme: nullableText,
      network: nullableText,
      amountAtomic: nullableText,
      asset: nullableText,
      payTo: nullableText,
      decimals: z.number().nullable(),
    }),
  ),
  originals: z.array(z.string()),
});

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An agent has a fixed number of places: anybody can choose queries, and must not fill the bucket with them. */
const keyOf = ({ agentId, universe, query }: DemandPlace): string => {
  const owner = sha256(JSON.stringify([universe.kind === 'production' ? null : universe.orgId, agentId]));
  const place = sha256(query).readUInt8(0) % limits.demandPlacesPerAgent;
  return `${owner.toString('base64url')}.${place}`;
};

const queryDigestOf = ({ query }: DemandPlace): string => sha256(query).toString('base64url');

/**
 * Stores a value; if there is no room, removes its predecessor. A deletion is shorter than any value, so it has room in place of one. Without a
 * predecessor there is no deletion: the server might drop another agent's value for it.
 */
const replace = async (kv: KV, key: string, bytes: Uint8Array): Promise<void> => {
  try {
    await kv.put(key, bytes);
  } catch (error) {
    if (error instanceof JetStreamApiError && (await kv.get(key)) !== null) await kv.delete(key);
    throw error;
  }
};

export type DemandBucketBytes = { ofOrganisations: number; ofUnaffiliated: number };

/** Uses two buckets, so that demands of agents without an organisation cannot take the room of others. */
export function openKeptDemands(
  bus: Pick<JetStreamLink, 'connection' | 'run'>,
  logger: Logger,
  { ofOrganisations, ofUnaffiliated }: DemandBucketBytes = {
    ofOrganisations: limits.demandBucketBytesMax,
    ofUnaffiliated: limits.unaffiliatedDemandBucketBytesMax,
  },
): KeptDemands {
  const organisations = openBucket(bus, logger, 'payment_demands', ofOrganisations);
  const unaffiliated = openBucket(bus, logger, 'payment_demands_anonymous', ofUnaffiliated);
  const attemptFor = ({ orgId }: DemandPlace): Attempt => (orgId === null ? unaffiliated : organisations);
  return {
    keep: async (place, demand) => {
      const encode = (kept: KeptDemand): Uint8Array =>
        Buffer.from(JSON.stringify({ queryDigest: queryDigestOf(place), ...kept }));
      const whole = encode(demand);
      const bytes = whole.byteLength > limits.demandBytesMax ? encode(nothing) : whole;
      await attemptFor(place)((kv) => replace(kv, keyOf(place), bytes), undefined);
    },
    find: (place) =>
      attemptFor(place)(async (kv) => {
        const entry = await kv.get(keyOf(place));
        if (entry === null || entry.operation !== 'PUT') return nothing;
        const { data } = keptDemand.safeParse(entry.json());
        if (data?.queryDigest !== queryDigestOf(place)) return nothing;
        return { requirements: data.requirements, originals: data.originals };
      }, nothing),
  };
}

/** Uses a bucket. Never throws: returns `fallback` if the work fails, or takes longer than `demandTimeoutMs`. */
type Attempt = <Result>(work: (kv: KV) => Promise<Result>, fallback: Result) => Promise<Result>;

/** The server refused the request, for example for lack of room, so the bucket exists. */
const isRefusal = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code !== JetStreamApiCodes.StreamNotFound;

/**
 * A bucket that is opened on first use, and created by the first proxy that needs it. It is opened again only if it may be gone, for example with
 * the server's disk: a full bucket must not cost each request another lookup.
 */
function openBucket(
  { connection, run }: Pick<JetStreamLink, 'connection' | 'run'>,
  logger: Logger,
  name: string,
  bytesMax: number,
): Attempt {
  const timeoutMs = limits.demandTimeoutMs;
  let bucket: Promise<KV> | undefined;
  let warnAgainAt = Number.NEGATIVE_INFINITY;
  const open = (): Promise<KV> =>
    new Kvm(jetstream(connection, { timeout: timeoutMs, checkAPI: false })).create(name, {
      storage: StorageType.File,
      history: 1,
      ttl: limits.demandLifetimeMs,
      max_bytes: bytesMax,
      maxValueSize: limits.demandBytesMax,
      // Reads go to the stream's leader: a replica may lag.
      allow_direct: false,
    });
  const openAndWork = async <Result>(work: (kv: KV) => Promise<Result>): Promise<Result> => {
    const opening = (bucket ??= open());
    try {
      return await work(await opening);
    } catch (error) {
      // Unless another request has opened it again.
      if (!isRefusal(error) && bucket === opening) bucket = undefined;
      throw error;
    }
  };
  /** At most once a minute: whoever demands payment determines how often this fails. */
  const warn = (error: unknown): void => {
    const now = performance.now();
    if (now < warnAgainAt) return;
    warnAgainAt = now + limits.demandWarningEveryMs;
    logger.warn({ err: error, bucket: name }, 'payment demands cannot be kept or found now');
  };

  return async (work, fallback) => {
    try {
      // One deadline for the opening and the work.
      return await withDeadline(
        run(() => openAndWork(work)),
        timeoutMs,
        () => new DeadlineError(`the bucket ${name}`, timeoutMs),
      );
    } catch (error) {
      warn(error);
      return fallback;
    }
  };
}
