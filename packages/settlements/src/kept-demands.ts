import { createHash } from 'node:crypto';
import type { Universe } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import type { Requirement } from '@agent-trust/x402';
import { jetstream, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
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
  /** Of a demand that is too long nothing is kept, and what was kept of a former one is forgotten: it would be wrong. */
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

/** An agent has a few places and no more, whatever it is asked with: strangers choose queries, and must not fill the bucket. */
const keyOf = ({ agentId, universe, query }: DemandPlace): string => {
  const owner = sha256(JSON.stringify([universe.kind === 'production' ? null : universe.orgId, agentId]));
  const place = sha256(query).readUInt8(0) % limits.demandPlacesPerAgent;
  return `${owner.toString('base64url')}.${place}`;
};

const queryDigestOf = ({ query }: DemandPlace): string => sha256(query).toString('base64url');

type Attempt = <Result>(work: (kv: KV) => Promise<Result>, otherwise: Result) => Promise<Result>;

/** Opens a bucket when it is first needed; whichever proxy needs it first makes it. */
const attemptsOn = (connection: NatsConnection, logger: Logger, name: string, bytesMax: number): Attempt => {
  let bucket: Promise<KV> | undefined;
  const open = (): Promise<KV> => {
    bucket ??= new Kvm(jetstream(connection, { timeout: limits.demandTimeoutMs, checkAPI: false })).create(name, {
      storage: StorageType.File,
      history: 1,
      ttl: limits.demandLifetimeMs,
      max_bytes: bytesMax,
      maxValueSize: limits.demandBytesMax,
      // Reads go to the stream itself: a replica may lag.
      allow_direct: false,
    });
    return bucket;
  };
  return async (work, otherwise) => {
    try {
      return await work(await open());
    } catch (error) {
      // Whatever went wrong, the next one looks for the bucket again: it may be gone with the server's disk.
      bucket = undefined;
      logger.warn({ err: error }, 'what was asked of a payer cannot be kept or found now');
      return otherwise;
    }
  };
};

/** Demands in two buckets, of which that of agents without an organisation may be full while the other is not. */
export const openKeptDemands = (connection: NatsConnection, logger: Logger): KeptDemands => {
  const ofOrganisations = attemptsOn(connection, logger, 'payment_demands', limits.demandBucketBytesMax);
  const ofStrangers = attemptsOn(connection, logger, 'payment_demands_strangers', limits.strangersDemandBucketBytesMax);
  const attemptFor = ({ orgId }: DemandPlace): Attempt => (orgId === null ? ofStrangers : ofOrganisations);
  return {
    keep: async (place, demand) => {
      const queryDigest = queryDigestOf(place);
      const encode = (kept: KeptDemand): Uint8Array =>
        new TextEncoder().encode(JSON.stringify({ queryDigest, ...kept }));
      const whole = encode(demand);
      const bytes = whole.byteLength > limits.demandBytesMax ? encode(nothing) : whole;
      await attemptFor(place)(async (kv) => void (await kv.put(keyOf(place), bytes)), undefined);
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
};
