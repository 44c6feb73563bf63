import { agentStream, DomainError, orgDomainStream } from '@agent-trust/contracts';
import { type HeldReservation, mayTakeOver, type ReserveOrgDomain } from '@agent-trust/domain';
import type { CommandDeps } from '../command-deps.ts';
import { readState, type RunningCommand, runCommand } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';

/** `voidRevision`: the newest reservation of this domain that is void in the agent's own stream. */
export type ReservationRequest = Pick<ReserveOrgDomain, 'domain' | 'agentId' | 'orgId' | 'voidRevision'>;

/**
 * Reserves a domain for an agent that is about to be registered. A reservation that led to nothing is taken over: first it is
 * declared void in its holder's stream, which a registration that is merely slow then runs into; only then is the domain reserved anew.
 * Whatever crashes in between, repeating it goes on from there. Refusal: org_domain_taken.
 */
export const reserveOrgDomain = async (
  deps: CommandDeps,
  running: RunningCommand,
  request: ReservationRequest,
): Promise<HeldReservation> => {
  try {
    return await reserve(deps, running, request);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'org_domain_taken')) throw error;
    const voidRevision = await voidUnusedReservation(deps, running, request.domain);
    if (voidRevision === null) throw error;
    return reserve(deps, running, { ...request, voidRevision });
  }
};

const reserve = async (
  deps: CommandDeps,
  running: RunningCommand,
  request: ReservationRequest,
): Promise<HeldReservation> => {
  const { state } = await runCommand(deps, running, orgDomainStreams, orgDomainStream(request.domain), {
    type: 'ReserveOrgDomain',
    ...request,
    now: running.now,
  });
  if (state.kind === 'free') throw new Error(`org_domain ${request.domain} is free after it was reserved`);
  return { domain: request.domain, revision: state.revision };
};

/** Declares the current reservation void, if it led to nothing; its revision, or null when it must be left alone. */
const voidUnusedReservation = async (
  deps: CommandDeps,
  running: RunningCommand,
  domain: string,
): Promise<number | null> => {
  const reservation = await readState(deps.log, orgDomainStreams, orgDomainStream(domain));
  if (reservation.kind === 'free') return null;
  const holder = agentStream(reservation.agentId);
  if (!mayTakeOver(domain, reservation, await readState(deps.log, agentStreams, holder), running.now)) return null;
  await runCommand(deps, running, agentStreams, holder, {
    type: 'LapseOrgDomainReservation',
    agentId: reservation.agentId,
    domain,
    reservationRevision: reservation.revision,
    now: running.now,
  });
  return reservation.revision;
};
