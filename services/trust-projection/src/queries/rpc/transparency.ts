import {
  DomainError,
  getLogCheckpoint,
  getLogConsistencyProof,
  getLogInclusionProof,
  getLogKey,
  getLogTile,
  getReviewReceipt,
  signVerdict,
} from '@agent-trust/contracts';
import type { CallContext } from '@agent-trust/nats-rpc';
import { queryLimits } from '../../limits.ts';
import { findAgentWithPosition } from '../../log-signing/agent-with-position.ts';
import { proveConsistency, proveInclusion, signedTile } from '../../log-signing/proofs.ts';
import { reviewReceipt } from '../../log-signing/review-receipt.ts';
import { signVerdictOf } from '../../log-signing/verdict.ts';
import { isSeenFrom, publicView } from '../agent-view.ts';
import { reach } from '../at-least.ts';
import type { QueryContext } from './context.ts';

/** What proves that the log was not rewritten, and what is signed in the registry's name. */
export async function serveTransparency(context: QueryContext): Promise<void> {
  const { rpc, queries, database, log, logRecord, logSigning } = context;
  const { identity, checkpoints } = logSigning;
  const parts = { checkpoints, database: logRecord.database };
  const options = { concurrentMax: queryLimits.proofsConcurrentMax };
  const recordReaches = (position: bigint, call: CallContext): Promise<void> =>
    reach(logRecord.watcher, String(position), call, queryLimits.logRecordWaitMs).catch((cause: unknown) => {
      if (!(cause instanceof DomainError) || cause.code !== 'read_model_behind') throw cause;
      throw new DomainError('unavailable', 'The tree does not have this event yet; try again in a moment.', { cause });
    });

  await rpc.serve(
    getLogCheckpoint,
    async (_, { signal }) => ({ note: (await checkpoints.current(signal)).note }),
    options,
  );
  await rpc.serve(getLogKey, () => {
    const { origin, verifierKey, jwk } = identity;
    return Promise.resolve({ origin, verifierKey, jwk });
  });
  await rpc.serve(
    getLogTile,
    async (tile) => {
      const hashes = await signedTile(parts, tile);
      return { hashes: hashes && Buffer.from(hashes).toString('base64') };
    },
    options,
  );
  await rpc.serve(
    getLogInclusionProof,
    ({ leaf, size }, { signal }) => proveInclusion(parts, leaf, size, signal),
    options,
  );
  await rpc.serve(
    getLogConsistencyProof,
    ({ from, to }, { signal }) => proveConsistency(parts, from, to, signal),
    options,
  );
  await rpc.serve(
    getReviewReceipt,
    async ({ agentId, transactionId, universe }, call) => {
      const agent = await queries.agentById(agentId);
      if (agent === null || !isSeenFrom(agent, universe))
        throw new DomainError('agent_not_found', 'no agent of this id is registered');
      const receipt = await reviewReceipt(
        { ...parts, log, signal: call.signal, reach: (position) => recordReaches(position, call) },
        { agentId, transactionId, universe },
      );
      return {
        ...receipt,
        entry: { ...receipt.entry, metadata: { ...receipt.entry.metadata }, data: { ...receipt.entry.data } },
      };
    },
    options,
  );
  await rpc.serve(
    signVerdict,
    async ({ agentId, universe }, call) => {
      const found = await findAgentWithPosition(database, agentId);
      if (found === null || !isSeenFrom(found.agent, universe)) return { verdict: null };
      const agent = publicView(found.agent);
      // The log that is named has every event that the score was computed from.
      await recordReaches(found.position, call);
      const checkpoint = await checkpoints.current(call.signal);
      const facts = { agent, universe, position: found.position, checkpoint, now: new Date() };
      return { verdict: { agent, signed: await signVerdictOf(identity, facts) } };
    },
    options,
  );
}
