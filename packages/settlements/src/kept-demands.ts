import { createHash } from 'node:crypto';
import type { Universe } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import type { Requirement } from '@agent-trust/x402';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { type Attempt, attemptsOn } from './demand-bucket.ts';
import { settlementLimits as limits } from './limits.ts';

/** What is known of a demand when its payment comes: the ways to pay, and what stood where the pay address was put. */
export type KeptDemand = { requirements: Requirement[]; originals: string[] };

/** Where a demand was met: an agent, with the organisation that vouches for it, and the query that it was asked with. */
export type DemandPlace = { agentId: string; orgId: string | null; universe: Universe; query: string };

/**
 * The demands that were last passed on, known to all proxies. A courtesy of memory: without it a payment goes through all the same, and its
 * settlement says less. So neither function fails, or waits for longer than `demandTimeoutMs`.
 */
export type KeptDemands = {
  /** Of a demand that is too long, or has no room, nothing is kept, and what was kept of a former one is forgotten: it would be wrong. */
  keep(place: DemandPlace, demand: KeptDemand): Promise<void>;
  /** An empty one where none is known for this very agent and query. */
  find(place: DemandPlace): Promise<KeptDemand>;
};

const nothing: KeptDemand = { requirements: [], originals: [] };

const nullableText = z.string().nullable();
const keptDemand = z.object({
  /** Digest of the query that it was met with: different ones may have the same place. */
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

/** An agent has a few entries and no more, whatever it is asked with: anybody chooses queries, and must not fill the bucket. */
const keyOf = ({ agentId, universe, query }: DemandPlace): string => {
  const owner = sha256(JSON.stringify([universe.kind === 'production' ? null : universe.orgId, agentId]));
  const place = sha256(query).readUInt8(0) % limits.demandPlacesPerAgent;
  return `${owner.toString('base64url')}.${place}`;
};

const queryDigestOf = ({ query }: DemandPlace): string => sha256(query).toString('base64url');

/**
 * Keeps a value, or nothing at all: where it has no room, a former one may not stay in its place. A deletion is shorter than any value, so it has
 * room where that was; where nothing was it must not be written, or the server might make room for it by dropping somebody else's value.
 */
const replace = async (kv: KV, key: string, bytes: Uint8Array): Promise<void> => {
  try {
    await kv.put(key, bytes);
  } catch (error) {
    if (error instanceof JetStreamApiError && (await kv.get(key)) !== null) await kv.delete(key);
    throw error;
  }
};

/** What fits into each bucket, which is made with that. */
export type DemandBucketBytes = { ofOrganisations: number; ofUnaffiliated: number };

const demandBucketBytes: DemandBucketBytes = {
  ofOrganisations: limits.demandBucketBytesMax,
  ofUnaffiliated: limits.unaffiliatedDemandBucketBytesMax,
};

/** Demands in two buckets, of which that of agents without an organisation may be full while the other is not. */
export function openKeptDemands(
  connection: NatsConnection,
  logger: Logger,
  bucketBytesMax: DemandBucketBytes = demandBucketBytes,
): KeptDemands {
  const ofOrganisations = attemptsOn(connection, logger, 'payment_demands', bucketBytesMax.ofOrganisations);
  const ofUnaffiliated = attemptsOn(connection, logger, 'payment_demands_strangers', bucketBytesMax.ofUnaffiliated);
  const attemptFor = ({ orgId }: DemandPlace): Attempt => (orgId === null ? ofUnaffiliated : ofOrganisations);
  return {
    keep: async (place, demand) => {
      const queryDigest = queryDigestOf(place);
      const encode = (kept: KeptDemand): Uint8Array =>
        new TextEncoder().encode(JSON.stringify({ queryDigest, ...kept }));
      const whole = encode(demand);
      const bytes = whole.byteLength > limits.demandBytesMax ? encode(nothing) : whole;
      await attemptFor(place)((kv) => replace(kv, keyOf(place), bytes), undefined);
    },
    find: (place) =>
      attemptFor(place)(async (kv) => {
        const entry = await kv.get(keyOf(place));
        if (entry === null || entry.operation !== 'PUT') return nothing;
        const kept = keptDemand.safeParse(entry.json()).data;
        if (kept?.queryDigest !== queryDigestOf(place)) return nothing;
        return { requirements: kept.requirements, originals: kept.originals };
      }, nothing),
  };
}
