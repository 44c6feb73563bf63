import { agentStream, DomainError, orgDomainStream } from '@agent-trust/contracts';
import {
  type AgentState,
  type HeldReservation,
  holderOf,
  type KnownHolder,
  orgDomainDecider,
  type ReserveOrgDomain,
} from '@agent-trust/domain';
import { type CommandDeps, readState, runCommand, type RunningCommand } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';
import { examineHolders, type ExaminedHolder } from './examine-holders.ts';

export type ReservationRequest = Pick<ReserveOrgDomain, 'domain' | 'agentId' | 'orgId' | 'voidRevision' | 'mayShare'>;

/** Attempts of a reservation, and of a write that needs one: other commands may change the domain's holders meanwhile. */
export const attemptsMax = 4;

/** The newest void reservation of a domain in an agent's own stream, or null. */
export function voidRevisionOf({ lapsedReservations }: AgentState, domain: string): number | null {
  return lapsedReservations.find((lapsed) => lapsed.domain === domain)?.revision ?? null;
}

/**
 * Reserves a domain for a coming registration or update. Unused reservations of others are declared void in their holders' streams first,
 * so that a slow writer is refused, and so are all of others if the organisation has proved the domain; then the domain is reserved. Can be
 * repeated after a crash at any point. Refusal: org_domain_taken.
 */
export async function reserveOrgDomain(
  deps: CommandDeps,
  running: RunningCommand,
  request: ReservationRequest,
): Promise<HeldReservation> {
  let known: KnownHolder[] = [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reserve(deps, running, request, known);
    } catch (error) {
      if (!isTaken(error) || attempt >= attemptsMax) throw error;
      const examined = await examineHolders(deps, running, request);
      if (examined.some(({ standing }) => standing === 'stands')) throw error;
      known = await declareVoidAmong(deps, running, request.domain, examined);
    }
  }
}

/** Refuses with `org_domain_taken` if a reservation would be refused now; writes nothing. */
export async function ensureOrgDomainAvailable(
  deps: CommandDeps,
  running: RunningCommand,
  request: ReservationRequest,
): Promise<void> {
  const known = (await examineHolders(deps, running, request)).flatMap(asIfVoid);
  const state = await readState(deps.log, orgDomainStreams, orgDomainStream(request.domain));
  orgDomainDecider.decide({ type: 'ReserveOrgDomain', ...request, known, now: running.now }, state);
}

/** The agent's reservation according to the domain's stream, or null. */
export async function heldReservation(
  deps: CommandDeps,
  domain: string,
  agentId: string,
): Promise<HeldReservation | null> {
  const held = holderOf(await readState(deps.log, orgDomainStreams, orgDomainStream(domain)), agentId);
  return held === null ? null : { domain, revision: held.revision };
}

export function isTaken(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'org_domain_taken';
}

const asIfVoid = ({ agentId, revision, standing }: ExaminedHolder): KnownHolder[] => {
  if (standing === 'stands') return [];
  return [{ agentId, revision, standing: standing === 'shared' ? 'shared' : 'void' }];
};

const reserve = async (
  deps: CommandDeps,
  running: RunningCommand,
  request: ReservationRequest,
  known: readonly KnownHolder[],
): Promise<HeldReservation> => {
  const { domain, agentId } = request;
  const { state } = await runCommand(deps, running, orgDomainStreams, orgDomainStream(domain), {
    type: 'ReserveOrgDomain',
    ...request,
    known,
    now: running.now,
  });
  const held = holderOf(state, agentId);
  if (held === null) throw new Error(`org_domain ${domain} is not held after it was reserved`);
  return { domain, revision: held.revision };
};

/** A holder that got the domain meanwhile keeps it and is left out, unless it yields; the next attempt finds it. */
const declareVoidAmong = async (
  deps: CommandDeps,
  running: RunningCommand,
  domain: string,
  examined: readonly ExaminedHolder[],
): Promise<KnownHolder[]> => {
  const known: KnownHolder[] = [];
  for (const holder of examined) {
    if (holder.standing === 'unused' && !(await declareVoid(deps, running, domain, holder))) continue;
    if (holder.standing === 'yields') await takeFrom(deps, running, domain, holder);
    known.push(...asIfVoid(holder));
  }
  return known;
};

/** Takes a domain from an agent of another organisation than the one that proved it, with everything that it reserved. */
export async function takeFrom(
  deps: CommandDeps,
  running: RunningCommand,
  domain: string,
  { agentId, revision }: Pick<ExaminedHolder, 'agentId' | 'revision'>,
): Promise<void> {
  await runCommand(deps, running, agentStreams, agentStream(agentId), {
    type: 'YieldOrgDomain',
    agentId,
    domain,
    reservationRevision: revision,
    now: running.now,
  });
}

const declareVoid = async (
  deps: CommandDeps,
  running: RunningCommand,
  domain: string,
  { agentId, revision }: ExaminedHolder,
): Promise<boolean> => {
  try {
    await runCommand(deps, running, agentStreams, agentStream(agentId), {
      type: 'LapseOrgDomainReservation',
      agentId,
      domain,
      reservationRevision: revision,
      now: running.now,
    });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
};
