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

/** Where a demand was met: an agent, and the query that it was asked with. */
export type DemandPlace = { agentId: string; universe: Universe; query: string };

/**
 * The demands that were last passed on, known to all proxies. A courtesy of memory: without it a payment goes through all the same, and its
 * settlement says less. So neither function fails, or waits for longer than `demandTimeoutMs`.
 */
export type KeptDemands = {
  keep(place: DemandPlace, demand: KeptDemand): Promise<void>;
  /** An empty one where none is known. */
  find(place: DemandPlace): Promise<KeptDemand>;
};

const bucketName = 'payment_demands';
const nothing: KeptDemand = { requirements: [], originals: [] };

const nullableText = z.string().nullable();
const keptDemand = z.object({
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
  const place = (sha256(query)[0] as number) % limits.demandPlacesPerAgent;
  return `${owner.toString('base64url')}.${place}`;
};

/** Opens the bucket when it is first needed; whichever proxy needs it first makes it. */
export const openKeptDemands = (connection: NatsConnection, logger: Logger): KeptDemands => {
  let bucket: Promise<KV> | undefined;
  const open = (): Promise<KV> => {
    bucket ??= new Kvm(jetstream(connection, { timeout: limits.demandTimeoutMs, checkAPI: false })).create(bucketName, {
      storage: StorageType.File,
      history: 1,
      ttl: limits.demandLifetimeMs,
      max_bytes: limits.demandBucketBytesMax,
      maxValueSize: limits.demandBytesMax,
      // Reads go to the stream itself: a replica may lag.
      allow_direct: false,
    });
    return bucket;
  };
  const attempt = async <Result>(work: (kv: KV) => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work(await open());
    } catch (error) {
      // Whatever went wrong, the next one looks for the bucket again: it may be gone with the server's disk.
      bucket = undefined;
      logger.warn({ err: error }, 'what was asked of a payer cannot be kept or found now');
      return otherwise;
    }
  };
  return {
    keep: async (place, demand) => {
      const bytes = new TextEncoder().encode(JSON.stringify(demand));
      if (bytes.byteLength > limits.demandBytesMax) return;
      await attempt(async (kv) => void (await kv.put(keyOf(place), bytes)), undefined);
    },
    find: (place) =>
      attempt(async (kv) => {
        const kept = await kv.get(keyOf(place));
        if (kept === null || kept.operation !== 'PUT') return nothing;
        return keptDemand.safeParse(kept.json()).data ?? nothing;
      }, nothing),
  };
};
