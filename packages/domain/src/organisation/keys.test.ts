import {
  DomainError,
  type OrganisationEvent,
  type ProductionKeyReplaced,
  type SandboxKeyIssued,
  type SandboxKeyRevoked,
} from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { atSecond, givenFor, organisationCreated, someHash } from '../testing/index.ts';
import { type OrganisationCommand, organisationDecider } from './decider.ts';
import type { OrganisationState } from './state.ts';

const given = givenFor(organisationDecider);
const productionKey = someHash(11);
const sandboxKey = someHash(12);
const [newKey, otherKey] = [someHash(13), someHash(14)];

const issued = (sandboxKeyHash = newKey): SandboxKeyIssued => ({
  type: 'SandboxKeyIssued',
  data: { orgId: 'org-1', sandboxKeyHash, issuedAt: atSecond(5) },
});
const revoked: SandboxKeyRevoked = { type: 'SandboxKeyRevoked', data: { orgId: 'org-1', revokedAt: atSecond(5) } };
const replaced = (productionKeyHash = newKey): ProductionKeyReplaced => ({
  type: 'ProductionKeyReplaced',
  data: { orgId: 'org-1', productionKeyHash, replacedAt: atSecond(5) },
});

const issue = (presentedKeyHash = productionKey, sandboxKeyHash = newKey): OrganisationCommand => ({
  type: 'IssueSandboxKey',
  presentedKeyHash,
  sandboxKeyHash,
  now: atSecond(5),
});
const revoke = (presentedKeyHash = productionKey): OrganisationCommand => ({
  type: 'RevokeSandboxKey',
  presentedKeyHash,
  now: atSecond(5),
});
const replace = (presentedKeyHash = productionKey, productionKeyHash = newKey): OrganisationCommand => ({
  type: 'ReplaceProductionKey',
  presentedKeyHash,
  productionKeyHash,
  now: atSecond(5),
});

describe('a sandbox key', () => {
  it('can be issued after the former one was revoked', () => {
    given([organisationCreated(), revoked]).when(issue()).then([issued()]);
  });

  it('exists once at a time', () => {
    given([organisationCreated()]).when(issue()).thenRefused('sandbox_key_exists');
    given([organisationCreated(), revoked, issued()])
      .when(issue(productionKey, otherKey))
      .thenRefused('sandbox_key_exists');
  });

  it('is revoked once', () => {
    given([organisationCreated()]).when(revoke()).then([revoked]);
    given([organisationCreated(), revoked]).when(revoke()).thenRefused('sandbox_key_absent');
  });

  it('can be revoked and issued repeatedly', () => {
    given([organisationCreated(), revoked, issued()]).when(revoke()).then([revoked]);
  });
});

describe('the production key', () => {
  it('is replaced by a new one', () => {
    given([organisationCreated()]).when(replace()).then([replaced()]);
    given([organisationCreated(), replaced()])
      .when(replace(newKey, otherKey))
      .then([replaced(otherKey)]);
  });

  it('of the organisation changes its keys, and no other credential does', () => {
    const history = [organisationCreated(), revoked];
    for (const command of [issue, revoke, replace]) {
      given(history).when(command(sandboxKey)).thenRefused('invalid_api_key');
      given(history).when(command(otherKey)).thenRefused('invalid_api_key');
      given([]).when(command()).thenRefused('invalid_api_key');
    }
  });

  it('is invalid as soon as it is replaced', () => {
    for (const command of [issue, revoke, replace]) {
      given([organisationCreated(), replaced()]).when(command(productionKey, otherKey)).thenRefused('invalid_api_key');
    }
  });

  it('is independent of the sandbox key', () => {
    given([organisationCreated(), replaced()]).when(revoke(newKey)).then([revoked]);
    given([organisationCreated(), revoked]).when(replace()).then([replaced()]);
  });
});

it('an existing key of the organisation is not a new key', () => {
  const faults: [OrganisationEvent[], OrganisationCommand][] = [
    [[organisationCreated()], replace(productionKey, productionKey)],
    [[organisationCreated()], replace(productionKey, sandboxKey)],
    [[organisationCreated(), revoked], issue(productionKey, productionKey)],
  ];
  for (const [history, command] of faults) {
    expect(() => organisationDecider.decide(command, fold(organisationDecider, history))).toThrow(/the same as one/u);
  }
});

/** The organisation after a command, unchanged if the command is refused. */
const after = (state: OrganisationState, command: OrganisationCommand): OrganisationState => {
  try {
    return fold(organisationDecider, organisationDecider.decide(command, state), state);
  } catch (error) {
    if (error instanceof DomainError) return state;
    throw error;
  }
};

it('after any commands in any order, the valid keys are the last ones issued', () => {
  const step = fc.constantFrom('issue', 'revoke', 'replace');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let state = fold(organisationDecider, [organisationCreated()]);
      const keys = { production: productionKey, sandbox: sandboxKey as string | null };
      for (const [index, kind] of steps.entries()) {
        const hash = someHash(1_000 + index);
        const commands = {
          issue: issue(keys.production, hash),
          revoke: revoke(keys.production),
          replace: replace(keys.production, hash),
        };
        state = after(state, commands[kind]);
        if (kind === 'replace') keys.production = hash;
        if (kind === 'revoke') keys.sandbox = null;
        if (kind === 'issue') keys.sandbox ??= hash;
      }
      expect(state).toMatchObject({ productionKeyHash: keys.production, sandboxKeyHash: keys.sandbox });
    }),
  );
});
