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
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext, Rpc } from '@agent-trust/nats-rpc';
import type { LogRecord } from '../audit/start-audit.ts';
import type { Queries } from '../queries/start-queries.ts';
import { queryLimits } from '../shared/limits.ts';
import { serveWithin } from '../shared/serve-within.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { LogIdentity } from './log-identity.ts';
import { proveConsistency, proveInclusion, signedTile } from './proofs.ts';
import { reviewReceipt } from './review-receipt.ts';
import { verdictClaims } from './verdict.ts';

export type LogSigningParts = {
  rpc: Rpc;
  log: EventLog;
  logRecord: Pick<LogRecord, 'tree' | 'reach'>;
  agents: Pick<Queries, 'findAgent' | 'findAgentWithPosition'>;
};

/** Proofs that the log was not rewritten, and signatures in the registry's name. */
export async function serveLogSigning(
  parts: LogSigningParts & { identity: LogIdentity; checkpoints: Checkpoints },
): Promise<void> {
  const { rpc, log, logRecord, agents, identity, checkpoints } = parts;
  const { tree } = logRecord;
  const serve = serveWithin(rpc, queryLimits.proofsConcurrentMax);
  const recordReaches = (position: bigint, call: CallContext): Promise<void> =>
    logRecord.reach(String(position), call, queryLimits.logRecordWaitMs).catch((cause: unknown) => {
      if (!(cause instanceof DomainError) || cause.code !== 'read_model_behind') throw cause;
      throw new DomainError('unavailable', 'The tree does not have this event yet; try again in a moment.', { cause });
    });

  await serve(getLogCheckpoint, async (_, { signal }) => ({ note: (await checkpoints.current(signal)).note }));
  await rpc.serve(getLogKey, async () => ({
    origin: identity.origin,
    verifierKey: identity.verifierKey,
    jwk: identity.jwk,
  }));
  await serve(getLogTile, async (tile) => {
    const hashes = await signedTile({ checkpoints, tree }, tile);
    return { hashes: hashes && Buffer.from(hashes).toString('base64') };
  });
  await serve(getLogInclusionProof, ({ leaf, size }, { signal }) =>
    proveInclusion({ checkpoints, tree, signal }, leaf, size),
  );
  await serve(getLogConsistencyProof, ({ from, to }, { signal }) =>
    proveConsistency({ checkpoints, tree, signal }, from, to),
  );
  await serve(getReviewReceipt, async ({ agentId, transactionId, universe }, call) => {
    if ((await agents.findAgent(agentId, universe)) === null)
      throw new DomainError('agent_not_found', 'no agent of this id is registered');
    const reach = (position: bigint): Promise<void> => recordReaches(position, call);
    const wanted = { agentId, transactionId, universe };
    const receipt = await reviewReceipt({ checkpoints, tree, log, signal: call.signal, reach }, wanted);
    const { metadata, data, ...entry } = receipt.entry;
    return { ...receipt, entry: { ...entry, metadata: { ...metadata }, data: { ...data } } };
  });
  await serve(signVerdict, async ({ agentId, universe }, call) => {
    const found = await agents.findAgentWithPosition(agentId, universe);
    if (found === null) return { verdict: null };
    const { agent, position } = found;
    // The log that the verdict names then has every event that the score was computed from.
    await recordReaches(position, call);
    const checkpoint = await checkpoints.current(call.signal);
    const claims = verdictClaims({ origin: identity.origin, agent, universe, position, checkpoint, now: new Date() });
    return { verdict: { agent, signed: await identity.signVerdict(claims) } };
  });
}
