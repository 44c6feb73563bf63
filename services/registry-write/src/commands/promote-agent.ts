import { agentStream, type promoteAgent as contract } from '@agent-trust/contracts';
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
import {
  beginCommand,
  type CommandDeps,
  readState,
  runCommand,
  type RunningCommand,
  writtenPosition,
} from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { attemptsMax, heldReservation, isTaken, reserveOrgDomain, voidRevisionOf } from './reserve-org-domain.ts';

/** Copies a draft's configuration to its live agent; the draft's org_domain, if any, is reserved for the live agent first. */
export function promoteAgent(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, sandboxAgentId, liveAgentId, orgId }, context) => {
    const running = beginCommand(deps, actor, context);
    const draftState = await readState(deps.log, agentStreams, agentStream(sandboxAgentId));
    const draft = ensureDraft(sandboxAgentId, orgId, draftState);
    const agentId = liveAgentIdOf(draft, liveAgentId);
    const { now } = running;
    const command: PromoteAgent = { type: 'PromoteAgent', agentId, draft, reservation: null, leaving: null, now };
    const stream = agentStream(agentId);
    for (let attempt = 1; ; attempt += 1) {
      const read = await readStream({ log: deps.log, ...agentStreams, stream });
      const allowed = ensurePromotable(command, read.state);
      const reserved = await withReservation(deps, running, command, allowed);
      try {
        const decided = { on: read, events: completePromotion(reserved, allowed) };
        const promoted = await runCommand(deps, running, agentStreams, stream, reserved, { decided });
        const fieldsCopied = promotedFields(draft);
        return { liveAgentId: agentId, fieldsCopied, promotedAt: now, position: writtenPosition(promoted) };
      } catch (error) {
        if (!isTaken(error) || attempt >= attemptsMax) throw error;
      }
    }
  };
}

const withReservation = async (
  deps: CommandDeps,
  running: RunningCommand,
  command: PromoteAgent,
  { live, orgDomain: domain }: AllowedPromotion,
): Promise<PromoteAgent> => {
  const { agentId, orgId, orgDomain } = live;
  if (domain === null || domain === orgDomain) return command;
  const request = { domain, agentId, orgId, mayShare: true, voidRevision: voidRevisionOf(live, domain) };
  return {
    ...command,
    reservation: await reserveOrgDomain(deps, running, request),
    leaving: orgDomain === null ? null : await heldReservation(deps, orgDomain, agentId),
  };
};
