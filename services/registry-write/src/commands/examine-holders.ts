import { agentStream, orgDomainStream } from '@agent-trust/contracts';
import {
  type HolderStanding,
  type OrgDomainHolder,
  orgDomainHoldersMax,
  type ReserveOrgDomain,
  standingOfHolder,
} from '@agent-trust/domain';
import { EventLogUnavailableError } from '@agent-trust/event-log';
import type { CommandDeps } from '../command-deps.ts';
import { readState, type RunningCommand } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';

/** A reservation that is in the way, with what its agent's own stream says of it. */
export type ExaminedHolder = { agentId: string; revision: number; standing: HolderStanding };

/** Streams read at one time; a domain has at most `orgDomainHoldersMax` holders. */
const readsAtOnceMax = 16;

/**
 * Looks into the streams of those who hold a domain, as far as their word counts: agents that the domain's stream has as of the same
 * organisation are of no account to an update, unless there is no room for another. An agent's own reservation for another organisation
 * is in the way too; see `reserveOrgDomain` of the domain. One that `stands` settles the matter: those after it are not looked into.
 * Fails with `EventLogUnavailableError` when the command's time is over before.
 */
export async function examineHolders(
  deps: CommandDeps,
  running: RunningCommand,
  { domain, agentId, orgId, mayShare }: Pick<ReserveOrgDomain, 'domain' | 'agentId' | 'orgId' | 'mayShare'>,
): Promise<ExaminedHolder[]> {
  const { holders } = await readState(deps.log, orgDomainStreams, orgDomainStream(domain));
  const sharedWith = mayShare ? orgId : null;
  const isFull = holders.length >= orgDomainHoldersMax;
  const inQuestion = holders.filter(
    (holder) =>
      !(holder.agentId === agentId && holder.orgId === orgId) &&
      (isFull || sharedWith === null || holder.orgId !== sharedWith),
  );

  const examine = async (holder: OrgDomainHolder): Promise<ExaminedHolder> => {
    const agent = await readState(deps.log, agentStreams, agentStream(holder.agentId));
    const standing = standingOfHolder(domain, holder, agent, sharedWith, running.now);
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
