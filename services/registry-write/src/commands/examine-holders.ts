import { agentStream, orgDomainStream } from '@agent-trust/contracts';
import {
  type HolderStanding,
  type OrgDomainHolder,
  orgDomainHoldersMax,
  type ReserveOrgDomain,
  standingOfHolder,
} from '@agent-trust/domain';
import { EventLogUnavailableError } from '@agent-trust/event-log';
import { type CommandDeps, readState, type RunningCommand } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';

/** A conflicting reservation and its standing according to its agent's own stream. */
export type ExaminedHolder = { agentId: string; revision: number; standing: HolderStanding };

/** Concurrent reads; a domain has at most `orgDomainHoldersMax` holders. */
const readsAtOnceMax = 16;

/**
 * Reads the streams of the holders that conflict with a reservation. For an update, holders of the same organisation do not, unless the
 * domain is full; the agent's own reservation for another organisation does (see `orgDomainDecider`). Stops at the first that `stands`.
 * Rejects with `EventLogUnavailableError` when the command's deadline passes.
 */
export async function examineHolders(
  deps: CommandDeps,
  running: RunningCommand,
  { domain, agentId, orgId, mayShare }: Pick<ReserveOrgDomain, 'domain' | 'agentId' | 'orgId' | 'mayShare'>,
): Promise<ExaminedHolder[]> {
  const { holders, proof } = await readState(deps.log, orgDomainStreams, orgDomainStream(domain));
  const sharedWith = mayShare ? orgId : null;
  const asker = { orgId, mayShare, hasProof: orgId !== null && proof?.orgId === orgId };
  const isFull = holders.length >= orgDomainHoldersMax;
  const inQuestion = holders.filter(
    (holder) =>
      !(holder.agentId === agentId && holder.orgId === orgId) &&
      (isFull || sharedWith === null || holder.orgId !== sharedWith),
  );

  const examine = async (holder: OrgDomainHolder): Promise<ExaminedHolder> => {
    const agent = await readState(deps.log, agentStreams, agentStream(holder.agentId));
    const standing = standingOfHolder(domain, holder, agent, asker, running.now);
    return { agentId: holder.agentId, revision: holder.revision, standing };
  };
  const examined: ExaminedHolder[] = [];
  for (let from = 0; from < inQuestion.length; from += readsAtOnceMax) {
    if (examined.some(({ standing }) => standing === 'stands')) break;
    if (running.remainingMs() <= 0) {
      throw new EventLogUnavailableError(`Examining who holds ${domain} took longer than its command may take.`);
    }
    examined.push(...(await Promise.all(inQuestion.slice(from, from + readsAtOnceMax).map(examine))));
  }
  return examined;
}
