import {
  type AgentEvent,
  type ClaimAuthority,
  type ClaimReason,
  production,
  type Universe,
} from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  atSecond,
  claimIssuedEvent,
  givenFor,
  issueClaimCommand,
  redeemClaimCommand,
  sandboxOf,
  someHash,
} from '../testing/index.ts';
import { agentDecider } from './decider.ts';
import { pendingClaimsMax } from './pending-claims.ts';

const given = givenFor(agentDecider);
const keyRotated = (over = {}) =>
  ({
    type: 'KeyRotated',
    data: { agentId: 'agent-1', keyHash: someHash(99), claimTokenHash: someHash(1), rotatedAt: atSecond(60), ...over },
  }) as const;

describe('a claim token is single-use', () => {
  it('is redeemed once', () => {
    given([agentRegistered(), claimIssuedEvent()]).when(redeemClaimCommand()).then([keyRotated()]);
  });

  it('a used, expired or unknown one and one of an unregistered agent get the same refusal', () => {
    const refusals = [
      given([agentRegistered(), claimIssuedEvent(), keyRotated()]).when(redeemClaimCommand()),
      given([agentRegistered(), claimIssuedEvent()]).when(redeemClaimCommand({ now: atSecond(1800) })),
      given([agentRegistered(), claimIssuedEvent()]).when(redeemClaimCommand({ claimTokenHash: someHash(7) })),
      given([]).when(redeemClaimCommand()),
    ].map((when) => when.thenRefused('invalid_claim_token').message);
    expect(new Set(refusals).size).toBe(1);
  });

  it('works until just before it expires, and forever without an expiry', () => {
    given([agentRegistered(), claimIssuedEvent()])
      .when(redeemClaimCommand({ now: '2026-01-01T00:29:59.999Z' }))
      .then([keyRotated({ rotatedAt: '2026-01-01T00:29:59.999Z' })]);
    given([agentRegistered(), claimIssuedEvent({ expiresAt: null })])
      .when(redeemClaimCommand({ now: '2040-01-01T00:00:00.000Z' }))
      .then([keyRotated({ rotatedAt: '2040-01-01T00:00:00.000Z' })]);
  });

  it('does not affect other links of the agent', () => {
    given([agentRegistered(), claimIssuedEvent(), claimIssuedEvent({ claimTokenHash: someHash(2) }), keyRotated()])
      .when(redeemClaimCommand({ claimTokenHash: someHash(2) }))
      .then([keyRotated({ claimTokenHash: someHash(2) })]);
  });
});

describe('a claim link may be requested by', () => {
  const ofAcme = agentRegistered({ orgId: 'org-1' });
  const issued = (reason: ClaimReason) =>
    claimIssuedEvent({ claimTokenHash: someHash(2), reason, issuedAt: atSecond(60), expiresAt: atSecond(1860) });
  const orgAuthority = (orgId: string, universe: Universe = production) =>
    ({ kind: 'organisation', orgId, universe }) as const;

  it.each<[string, ClaimAuthority, ClaimReason]>([
    ['its organisation', orgAuthority('org-1'), 'organisation'],
    ['the admin', { kind: 'admin' }, 'admin'],
    ['the agent itself', { kind: 'agent', agentId: 'agent-1' }, 'agent'],
    ['anybody, when there is a contact_email', { kind: 'uncredentialed', unownedOnly: false }, 'uncredentialed'],
  ])('%s', (_, authority, reason) => {
    given([ofAcme])
      .when(issueClaimCommand({ authority }))
      .then([issued(reason)]);
  });

  it('another organisation and another agent are refused, whether or not the agent exists', () => {
    for (const history of [[ofAcme], []]) {
      given(history)
        .when(issueClaimCommand({ authority: orgAuthority('org-2') }))
        .thenRefused('invalid_rotation_credential');
      given(history)
        .when(issueClaimCommand({ authority: { kind: 'agent', agentId: 'agent-2' } }))
        .thenRefused('invalid_rotation_credential');
    }
  });

  it("the organisation's key of the other universe is refused as such", () => {
    given([ofAcme])
      .when(issueClaimCommand({ authority: orgAuthority('org-1', sandboxOf()) }))
      .thenRefused('wrong_universe');
    given([agentRegistered({ orgId: 'org-1', universe: sandboxOf() })])
      .when(issueClaimCommand({ authority: orgAuthority('org-1') }))
      .thenRefused('wrong_universe');
  });

  it('without a credential, agents of organisations are refused where only others are allowed', () => {
    const authority = { kind: 'uncredentialed', unownedOnly: true } as const;
    given([ofAcme]).when(issueClaimCommand({ authority })).thenRefused('claim_by_owner_only');
    given([agentRegistered()])
      .when(issueClaimCommand({ authority }))
      .then([issued('uncredentialed')]);
    given([agentRegistered({ orgId: 'org-1', universe: sandboxOf() })])
      .when(issueClaimCommand({ authority }))
      .thenRefused('agent_not_found');
  });

  it('an unknown agent is not found; without a credential, neither is a sandbox agent', () => {
    given([]).when(issueClaimCommand()).thenRefused('agent_not_found');
    given([])
      .when(issueClaimCommand({ authority: { kind: 'admin' } }))
      .thenRefused('agent_not_found');
    given([agentRegistered({ universe: sandboxOf() })])
      .when(issueClaimCommand())
      .thenRefused('agent_not_found');
  });

  it('without a credential the agent must have a contact_email', () => {
    given([agentRegistered({ contact: { contactInfo: null, contactEmail: null } })])
      .when(issueClaimCommand())
      .thenRefused('contact_email_missing');
  });

  it('a lifetime of 0 means that the link never expires', () => {
    given([ofAcme])
      .when(issueClaimCommand({ claimTtlSeconds: 0 }))
      .then([{ ...issued('uncredentialed'), data: { ...issued('uncredentialed').data, expiresAt: null } }]);
  });
});

describe('pending claims are limited', () => {
  const claims = (reason: ClaimReason, from: number, count: number, issuedAt = atSecond(0)) =>
    Array.from({ length: count }, (_, index) =>
      claimIssuedEvent({ claimTokenHash: someHash(from + index), reason, issuedAt, expiresAt: atSecond(1800) }),
    );
  const pending = (events: readonly AgentEvent[]) => {
    const state = fold(agentDecider, events);
    return state.kind === 'registered' ? state.pendingClaims.map(({ tokenHash }) => tokenHash) : [];
  };

  it("links requested without a credential displace the oldest of their kind, never an owner's", () => {
    const kept = pending([agentRegistered(), ...claims('registration', 1, 1), ...claims('uncredentialed', 100, 50)]);
    expect(kept).toEqual([
      someHash(1),
      ...Array.from({ length: pendingClaimsMax }, (_, index) => someHash(100 + 50 - pendingClaimsMax + index)),
    ]);
  });

  it("owners' links have a limit of the same kind", () => {
    expect(pending([agentRegistered(), ...claims('organisation', 1, 30)])).toHaveLength(pendingClaimsMax);
  });

  it('expired links are displaced first', () => {
    const later = claimIssuedEvent({ claimTokenHash: someHash(50), issuedAt: atSecond(1800), expiresAt: null });
    expect(pending([agentRegistered(), ...claims('uncredentialed', 1, 3), later])).toEqual([someHash(50)]);
  });
});
