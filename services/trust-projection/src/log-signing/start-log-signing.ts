import { agentNotFound, DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import type { LogRecord } from '../audit/start-log-record.ts';
import type { Queries } from '../queries/start-queries.ts';
import { queryLimits } from '../shared/limits.ts';
import { within } from '../shared/within.ts';
import { type Checkpoints, checkpointsOf } from './checkpoints.ts';
import { jwkOf, type LogIdentity, logIdentity, verdictClaims } from './log-identity.ts';
import { observeCheckpoints } from './observe-checkpoints.ts';
import { observeWitnesses } from './observe-witnesses.ts';
import { proveConsistency, proveInclusion, signedTile } from './proofs.ts';
import { reviewLeaves } from './review-leaves.ts';
import { reviewReceipt } from './review-receipt.ts';
import { type WatchedWitnesses, watchWitnesses } from './watch-witnesses.ts';
import type { WitnessAddress } from './witness-addresses.ts';
import { openSignedHeadStore, type SignedHeadStore } from './signed-head-store.ts';

export type LogSigning = {
  /** What is wrong with the log, as the last attempt to sign found; null when nothing is. */
  fault: () => string | null;
  lastSigned: SignedHeadStore['lastSigned'];
  witnesses: WatchedWitnesses['shown'];
  methods: ReturnType<typeof logSigningMethods>;
  stop: () => Promise<void>;
};

/** Signs and proves in the name of the log. Every instance does, and all sign the same. */
export async function startLogSigning(
  parts: LogSigningParts & {
    /** The name of the log, by the recorded one: see `chooseOrigin`. */
    originFor: (recorded: string | null) => string;
    /** Of the Ed25519 key, 32 bytes. */
    seed: Uint8Array;
    /** Of a second key that signs checkpoints as well. */
    previousSeed: Uint8Array | undefined;
    witnesses: readonly WitnessAddress[];
    databaseUrl: string;
    logger: Logger;
  },
): Promise<LogSigning> {
  const { originFor, seed, previousSeed, databaseUrl, log, logRecord, logger } = parts;
  const store = await openSignedHeadStore(databaseUrl, originFor, logger);
  const identity = await logIdentity(store.origin, seed, previousSeed);
  await store.recordKeys(identity.verifierKeys);
  const checkpoints = checkpointsOf({ identity, store, tree: logRecord.tree, log, logger });
  const witnesses = watchWitnesses({ witnesses: parts.witnesses, store, tree: logRecord.tree, logger });
  witnesses.start();
  const stopObserving = [
    observeCheckpoints(store, logRecord.tree, checkpoints.fault),
    observeWitnesses(witnesses.shown),
  ];
  return {
    methods: logSigningMethods({ ...parts, identity, checkpoints, keys: () => store.keys() }),
    fault: () => checkpoints.fault(),
    lastSigned: () => store.lastSigned(),
    witnesses: witnesses.shown,
    stop: async () => {
      for (const stop of stopObserving) stop();
      await witnesses.stop();
      await store.close();
    },
  };
}

type LogSigningParts = {
  log: EventLog;
  logRecord: Pick<LogRecord, 'tree' | 'reach'>;
  agents: Pick<Queries, 'findAgent' | 'findAgentWithPosition' | 'findReviews'>;
};

/** Proofs that the log was not rewritten, and signatures in the registry's name. */
function logSigningMethods(
  parts: LogSigningParts & { identity: LogIdentity; checkpoints: Checkpoints; keys: SignedHeadStore['keys'] },
) {
  const { log, logRecord, agents, identity, checkpoints, keys } = parts;
  const { tree } = logRecord;
  const recordReaches = (position: bigint, call: CallContext): Promise<void> =>
    logRecord.reach(String(position), call, queryLimits.logRecordWaitMs).catch((cause: unknown) => {
      if (!(cause instanceof DomainError) || cause.code !== 'read_model_behind') throw cause;
      throw new DomainError('unavailable', 'The tree does not have this event yet; try again in a moment.', { cause });
    });

  return {
    getLogKey: async () => {
      const { origin, verifierKey } = identity;
      const recorded = (await keys()).map((key) => ({
        verifierKey: key.verifierKey,
        jwk: jwkOf(key.verifierKey),
        signsSince: key.signsSince.toISOString(),
        signedUntil: key.signedUntil?.toISOString() ?? null,
      }));
      const isPresent = (key: { verifierKey: string }): boolean => key.verifierKey === verifierKey;
      const inOrder = [...recorded.filter(isPresent), ...recorded.filter((key) => !isPresent(key))];
      return { origin, verifierKey, jwk: jwkOf(verifierKey), keys: inOrder };
    },
    ...within(queryLimits.proofsConcurrentMax, {
      getLogCheckpoint: async (_, { signal }) => ({ note: (await checkpoints.current(signal)).note }),
      getLogTile: async (tile) => {
        const hashes = await signedTile({ checkpoints, tree }, tile);
        return { hashes: hashes && Buffer.from(hashes).toString('base64') };
      },
      getLogInclusionProof: ({ leaf, size }, { signal }) => proveInclusion({ checkpoints, tree, signal }, leaf, size),
      getLogConsistencyProof: ({ from, to }, { signal }) => proveConsistency({ checkpoints, tree, signal }, from, to),
      getReviewReceipt: async ({ agentId, transactionId, universe }, call) => {
        if ((await agents.findAgent(agentId, universe)) === null) throw agentNotFound(agentId);
        const reach = (position: bigint): Promise<void> => recordReaches(position, call);
        const wanted = { agentId, transactionId, universe };
        const receipt = await reviewReceipt({ checkpoints, tree, log, signal: call.signal, reach }, wanted);
        const { metadata, data, ...entry } = receipt.entry;
        return { ...receipt, entry: { ...entry, metadata: { ...metadata }, data: { ...data } } };
      },
      listReviewLeaves: async ({ agentId, universe, ...page }, call) => {
        const found = await agents.findReviews(agentId, universe, page);
        if (found === null) return { reviews: null, total: 0 };
        const newest = found.reviews.at(-1);
        if (newest !== undefined) await recordReaches(newest.position, call);
        return { reviews: await reviewLeaves(tree, found.reviews), total: found.total };
      },
      signVerdict: async ({ agentId, universe }, call) => {
        const found = await agents.findAgentWithPosition(agentId, universe);
        if (found === null) return { verdict: null };
        const { agent, position } = found;
        // The log that the verdict names then has every event that the score was computed from.
        await recordReaches(position, call);
        const checkpoint = await checkpoints.current(call.signal);
        const { origin } = identity;
        const claims = verdictClaims({ origin, agent, universe, position, checkpoint, now: new Date() });
        return { verdict: { agent, signed: await identity.signVerdict(claims) } };
      },
    }),
  };
}
