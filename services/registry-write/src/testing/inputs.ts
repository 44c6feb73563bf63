import { createHash, randomBytes } from 'node:crypto';
import {
  type answerReview,
  type createOrganisation,
  type issueClaim,
  production,
  type redeemClaim,
  type registerAgent,
  type submitReview,
  type updateAgent,
  type UnaryMethod,
  type Universe,
} from '@agent-trust/contracts';
import { someConfiguration } from '@agent-trust/domain/testing';
import type { Sent } from '@agent-trust/nats-rpc';

type InputOf<Method extends UnaryMethod> = Sent<Method['input']>;

const actor = { kind: 'anonymous', id: null } as const;
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
export function freshHash(): string {
  return randomBytes(32).toString('hex');
}

/** Valid inputs of the commands; a test names only what matters to it. */

export function registerInput(
  over: Partial<InputOf<typeof registerAgent>> & { agentId: string },
): InputOf<typeof registerAgent> {
  return {
    orgName: null,
    orgDomain: null,
    publicKey: null,
    contact: { contactInfo: null, contactEmail: 'owner@agent.example' },
    configuration: someConfiguration(),
    cloneFromAgentId: null,
    confirmations: {},
    candidateMatches: {},
    commandId: null,
    credential: { kind: 'none' },
    claimTokenHash: freshHash(),
    actor,
    ...over,
  };
}

export function updateInput(
  over: Partial<InputOf<typeof updateAgent>> & { agentId: string },
): InputOf<typeof updateAgent> {
  return {
    contact: {},
    configuration: {},
    pullFromAgentId: null,
    confirmations: {},
    candidateMatches: {},
    credentials: { agentId: over.agentId, organisation: null, admin: false },
    commandId: null,
    actor,
    ...over,
  };
}

/** The credentials of an update with an organisation's key, alone or beside the agent's own. */
export function updatedBy(orgId: string, universe: Universe = production, agentId: string | null = null) {
  return {
    agentId,
    organisation: { orgId, orgName: `name of ${orgId}`, universe },
    admin: false,
  };
}

export function orgKeyOf(orgId: string, universe: Universe = production) {
  return { kind: 'organisation', orgId, orgName: `name of ${orgId}`, universe } as const;
}

export function organisationInput(orgName: string): InputOf<typeof createOrganisation> {
  return {
    orgName,
    contactEmail: 'ops@acme.example',
    productionKeyHash: freshHash(),
    sandboxKeyHash: freshHash(),
    actor,
  };
}

export function issueInput(
  over: Partial<InputOf<typeof issueClaim>> & { agentId: string },
): InputOf<typeof issueClaim> {
  return {
    claimTokenHash: freshHash(),
    authority: { kind: 'uncredentialed', unownedOnly: false },
    actor,
    ...over,
  };
}

export function redeemInput(agentId: string, claimTokenHash: string): InputOf<typeof redeemClaim> {
  return {
    agentId,
    claimTokenHash,
    newKeyHash: freshHash(),
    actor,
  };
}

export function reviewInput(over: Partial<InputOf<typeof submitReview>> = {}): InputOf<typeof submitReview> {
  return {
    callerAgentId: 'caller',
    callerUniverse: production,
    receiverAgentId: 'receiver',
    transactionId: null,
    success: true,
    score: 9,
    commandId: null,
    actor: { kind: 'agent', id: 'caller' },
    ...over,
  };
}

export function answerInput(over: Partial<InputOf<typeof answerReview>> = {}): InputOf<typeof answerReview> {
  return {
    agentId: 'receiver',
    authority: { kind: 'organisation', orgId: 'org-2', universe: production },
    transactionId: 'tx-1',
    text: 'We have corrected it.',
    commandId: null,
    actor: { kind: 'organisation', id: 'org-2' },
    ...over,
  };
}
