import { agentStream, DomainError, type promoteAgent as contract } from '@agent-trust/contracts';
import {
  type AllowedPromotion,
  completePromotion,
  ensureDraft,
  ensurePromotable,
  liveAgentIdOf,
  type PromoteAgent,
  promotedFields,
} from '@agent-trust/domain';
import { readStream } from '@agent-trust/event-log';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, readState, type RunningCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { heldReservation, reserveOrgDomain } from './reserve-org-domain.ts';

/** Copies a draft's configuration to its live agent; where the draft has an org_domain, that is reserved for the live agent first. */
export function promoteAgent(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, sandboxAgentId, liveAgentId, orgId }, context) => {
    const running = beginCommand(deps, actor, context);
    const draftState = await readState(deps.log, agentStreams, agentStream(sandboxAgentId));
    const draft = ensureDraft(sandboxAgentId, orgId, draftState);
    const agentId = liveAgentIdOf(draft, liveAgentId);
    const command: PromoteAgent = {
      type: 'PromoteAgent',
      agentId,
      draft,
      reservation: null,
      leaving: null,
      now: running.now,
    };
    for (let attempt = 1; ; attempt += 1) {
      const stream = agentStream(agentId);
      const read = await readStream({ log: deps.log, ...agentStreams, stream });
      const allowed = ensurePromotable(command, read.state);
      const reserved = await withReservation(deps, running, command, allowed);
      try {
        const decided = { read, events: completePromotion(reserved, allowed) };
        const promoted = await runCommand(deps, running, agentStreams, stream, reserved, { decided });
        return {
          liveAgentId: agentId,
          fieldsCopied: promotedFields(draft),
          promotedAt: running.now,
          position: writtenPosition(promoted),
        };
      } catch (error) {
        const mayPass = error instanceof DomainError && error.code === 'org_domain_taken' && attempt < attemptsMax;
        if (!mayPass) throw error;
      }
    }
  };
}

/** Times that a promotion is tried, because the live agent's org_domain or the reservation for it changed under it. */
const attemptsMax = 4;

const withReservation = async (
  deps: CommandDeps,
  running: RunningCommand,
  command: PromoteAgent,
  { live, orgDomain: domain }: AllowedPromotion,
): Promise<PromoteAgent> => {
  const { agentId, orgId, orgDomain, lapsedReservations } = live;
  if (domain === null || domain === orgDomain) return command;
  const voidRevision = lapsedReservations.find((lapsed) => lapsed.domain === domain)?.revision ?? null;
  const request = { domain, agentId, orgId, mayShare: true, voidRevision };
  return {
    ...command,
    reservation: await reserveOrgDomain(deps, running, request),
    leaving: orgDomain === null ? null : await heldReservation(deps, orgDomain, agentId),
  };
};
