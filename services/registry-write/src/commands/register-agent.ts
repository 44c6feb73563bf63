import { agentStream, type registerAgent as contract } from '@agent-trust/contracts';
import {
  defaultConfiguration,
  demandRegistrable,
  patchConfiguration,
  type HeldReservation,
  type RegisterAgent,
  type RegisteredAgent,
} from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, readState, type RunningCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { reserveOrgDomain } from './reserve-org-domain.ts';

/**
 * Registers an agent; with an org_domain, reserves the domain first. A crash between the two leaves a reservation that the same
 * registration goes on with when it is repeated, and that anyone else may take over after its lease.
 */
export const registerAgent =
  (deps: CommandDeps): UnaryHandler<typeof contract> =>
  async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const command: RegisterAgent = {
      ...input,
      type: 'RegisterAgent',
      configuration: patchConfiguration(defaultConfiguration, input.configuration),
      reservation: null,
      claimTtlSeconds: deps.claimTtlSeconds,
      now: running.now,
    };
    const reservation = await reservationFor(deps, running, command);
    const registered = await runCommand(deps, running, agentStreams, agentStream(input.agentId), {
      ...command,
      reservation,
    });
    const { universe } = registered.state as RegisteredAgent;
    return {
      outcome: 'registered',
      agentId: input.agentId,
      universe,
      registeredAt: running.now,
      position: writtenPosition(registered),
    };
  };

const reservationFor = async (
  deps: CommandDeps,
  running: RunningCommand,
  command: RegisterAgent,
): Promise<HeldReservation | null> => {
  const { agentId, orgDomain: domain, credential } = command;
  if (domain === null) return null;
  // What will be refused anyway must not reserve anything.
  const agent = demandRegistrable(command, await readState(deps.log, agentStreams, agentStream(agentId)));
  return reserveOrgDomain(deps, running, {
    domain,
    agentId,
    orgId: credential.kind === 'organisation' ? credential.orgId : null,
    mayShare: false,
    voidRevision: agent.lapsedReservations.find((lapsed) => lapsed.domain === domain)?.revision ?? null,
  });
};
