import type { AgentEvent } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  atSecond,
  claimIssuedEvent,
  givenFor,
  redeemClaimCommand,
  sandboxOf,
  someHash,
  somePublicKey,
} from '../testing/index.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const rotate = {
  type: 'RotateBySignature',
  agentId: 'agent-1',
  publicKey: null,
  newKeyHash: someHash(99),
  now: atSecond(60),
} as const;
const rotated = {
  type: 'KeyRotated',
  data: { agentId: 'agent-1', keyHash: someHash(99), claimTokenHash: null, rotatedAt: atSecond(60) },
} as const;

describe('a signature proves the agent', () => {
  it('in either universe, with or without a former key', () => {
    given([agentRegistered()]).when(rotate).then([rotated]);
    given([agentRegistered({ universe: sandboxOf() })])
      .when(rotate)
      .then([rotated]);
    given([agentRegistered(), rotated]).when(rotate).then([rotated]);
  });

  // Bug: the gateway may verify with a public key that the agent has just replaced because it was stolen.
  it("with the agent's current public key, and with no other", () => {
    const owned = agentRegistered({ publicKey: somePublicKey });
    const replaced = (publicKey: string | null): AgentEvent => ({
      type: 'PublicKeyReplaced',
      data: { agentId: 'agent-1', publicKey, replacedAt: atSecond(30) },
    });
    const bySome = { ...rotate, publicKey: somePublicKey };
    given([owned]).when(bySome).then([rotated]);
    given([agentRegistered(), replaced(somePublicKey)])
      .when(bySome)
      .then([rotated]);
    given([owned, replaced(null)])
      .when(rotate)
      .then([rotated]);
    given([owned, replaced('another')])
      .when(bySome)
      .thenRefused('invalid_credential');
    given([owned, replaced(null)])
      .when(bySome)
      .thenRefused('invalid_credential');
    given([agentRegistered(), replaced(somePublicKey)])
      .when(rotate)
      .thenRefused('invalid_credential');
  });

  it('an unregistered agent is refused as a bad signature', () => {
    given([]).when(rotate).thenRefused('invalid_credential');
  });

  it('ends the links that were requested with the old key', () => {
    const issued = claimIssuedEvent({ reason: 'agent' });
    const redeem = redeemClaimCommand({ newKeyHash: someHash(5) });
    given([agentRegistered(), issued])
      .when(redeem)
      .then([{ type: 'KeyRotated', data: { ...rotated.data, keyHash: someHash(5), claimTokenHash: someHash(1) } }]);
    given([agentRegistered(), issued, rotated]).when(redeem).thenRefused('invalid_claim_token');
    const redeemed = { ...rotated, data: { ...rotated.data, claimTokenHash: someHash(2) } };
    given([agentRegistered(), issued, claimIssuedEvent({ claimTokenHash: someHash(2) }), redeemed])
      .when(redeem)
      .thenRefused('invalid_claim_token');
    // A link requested with the new key stays valid.
    given([agentRegistered(), rotated, issued])
      .when(redeem)
      .then([{ type: 'KeyRotated', data: { ...rotated.data, keyHash: someHash(5), claimTokenHash: someHash(1) } }]);
  });

  it('does not affect links that others requested', () => {
    const state = fold(agentDecider, [agentRegistered(), claimIssuedEvent(), rotated]);
    expect(state).toMatchObject({ keyHash: someHash(99), pendingClaims: [{ tokenHash: someHash(1) }] });
    for (const reason of ['registration', 'organisation', 'admin', 'uncredentialed'] as const) {
      given([agentRegistered(), claimIssuedEvent({ reason }), rotated])
        .when(redeemClaimCommand({ newKeyHash: someHash(5) }))
        .then([{ type: 'KeyRotated', data: { ...rotated.data, keyHash: someHash(5), claimTokenHash: someHash(1) } }]);
    }
  });
});
