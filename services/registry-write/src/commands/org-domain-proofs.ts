import { createHash } from 'node:crypto';
import { DomainError, orgDomainStream, organisationStream } from '@agent-trust/contracts';
import { orgIdOfName, type OrgDomainCommand, type OrgDomainState } from '@agent-trust/domain';
import {
  beginCommand,
  type CommandDeps,
  type CommandHandlers,
  readState,
  runCommand,
  type RunningCommand,
  writtenPosition,
} from '../run-command.ts';
import { organisationStreams, orgDomainStreams } from '../stream-kinds.ts';
import { writeLimits } from '../limits.ts';
import { examineHolders } from './examine-holders.ts';
import { takeFrom } from './reserve-org-domain.ts';

type Handlers = {
  [Name in
    | 'requestDomainProof'
    | 'proveDomain'
    | 'recordDomainCheck'
    | 'vouchForDomain'
    | 'withdrawDomainProof']: Extract<CommandHandlers[Name], (...inputs: never[]) => unknown>;
};

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Proofs of domains. A proof is one append to the domain's stream, so of two organisations that prove a domain at once one comes second and
 * finds the other's proof. Agents of others lose the domain after it, one by one; whatever a crash leaves undone is done by a repetition,
 * by the next agent of the organisation that takes the domain, or by the gateways' next look at the proof.
 */
export function orgDomainProofCommands(deps: CommandDeps): Handlers {
  return {
    requestDomainProof: async ({ actor, ...input }, context) => {
      const running = beginCommand(deps, actor, context);
      const { position } = await toDomain(deps, running, { type: 'RequestDomainProof', ...input, now: running.now });
      return { position: writtenPosition({ position }) };
    },
    proveDomain: async ({ actor, ...input }, context) => {
      const running = beginCommand(deps, actor, context);
      const proved = await toDomain(deps, running, { type: 'ProveDomain', ...input, now: running.now });
      return { position: await settled(deps, running, input, proved.position) };
    },
    recordDomainCheck: async ({ actor, orgId, domain, isChecked, method }, context) => {
      const running = beginCommand(deps, actor, context);
      const { now } = running;
      const command = isChecked
        ? ({ type: 'RecordDomainCheck', orgId, domain, method, now } as const)
        : ({ type: 'ReleaseVoidReservations', domain, isVoid: [], now } as const);
      const checked = await toDomain(deps, running, command);
      return { position: await settled(deps, running, { orgId, domain }, checked.position) };
    },
    vouchForDomain: async ({ actor, orgName, domain, reason }, context) => {
      const running = beginCommand(deps, actor, context);
      const orgId = orgIdOfName(orgName, sha256Hex);
      const organisation = await readState(deps.log, organisationStreams, organisationStream(orgId));
      if (organisation.kind === 'absent') {
        throw new DomainError('organisation_not_found', `there is no organisation ${JSON.stringify(orgName)}`);
      }
      const vouched = await toDomain(deps, running, {
        type: 'VouchForDomain',
        orgId,
        domain,
        reason,
        now: running.now,
      });
      return { orgId, position: await settled(deps, running, { orgId, domain }, vouched.position) };
    },
    withdrawDomainProof: async ({ actor, domain, reason }, context) => {
      const running = beginCommand(deps, actor, context);
      const { now } = running;
      const { position } = await toDomain(deps, running, { type: 'WithdrawDomainProof', domain, reason, now });
      return { endedAt: now, position: writtenPosition({ position }) };
    },
  };
}

const toDomain = (
  deps: CommandDeps,
  running: RunningCommand,
  command: OrgDomainCommand,
): Promise<{ state: OrgDomainState; position: bigint | null }> =>
  runCommand(deps, running, orgDomainStreams, orgDomainStream(command.domain), command);

/**
 * Takes a proved domain from all agents of others, as far as the time of the command allows, and releases what they had reserved. The proof
 * came first, so no other can reserve the domain meanwhile. The last position that was written.
 */
const settled = async (
  deps: CommandDeps,
  running: RunningCommand,
  { orgId, domain }: { orgId: string; domain: string },
  position: bigint | null,
): Promise<string> => {
  const written = writtenPosition({ position });
  const { proof } = await readState(deps.log, orgDomainStreams, orgDomainStream(domain));
  if (proof?.orgId !== orgId) return written;
  // No agent of its own is in question, and with a proof no other's stands.
  const others = await examineHolders(deps, running, { domain, orgId, agentId: '', mayShare: true });
  const isVoid = others.filter(({ standing }) => standing === 'void');
  for (const holder of others) {
    if (holder.standing !== 'yields' && holder.standing !== 'unused') continue;
    if (running.remainingMs() < writeLimits.takeDomainMs) break;
    await takeFrom(deps, running, domain, holder);
    isVoid.push(holder);
  }
  if (isVoid.length === 0) return written;
  const released = await toDomain(deps, running, {
    type: 'ReleaseVoidReservations',
    domain,
    isVoid,
    now: running.now,
  });
  return writtenPosition(released);
};
