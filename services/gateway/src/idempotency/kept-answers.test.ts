import { randomBytes, randomUUID } from 'node:crypto';
import { production } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { agentIdOfClaimToken } from '../credentials/keys.ts';
import { edgeLimits } from '../limits.ts';
import { scopeOfCaller, scopeOfCredentials } from './credential-scope.ts';
import { deriveKeys, type Entry, nextStep } from './entry.ts';
import { idempotencyKeyOf } from './idempotently.ts';
import { leaseMsOf } from './limits.ts';
import { claimTokenDerivedFrom } from './idempotency.ts';
import { seal, type SealKeys, unseal } from '../credentials/seal.ts';

const entryWith = (progress: Entry['progress']): Entry => ({
  bodyHash: 'a',
  commandId: randomUUID(),
  earlierCommandId: null,
  remembered: null,
  progress,
});

describe('the next step of a request', () => {
  const answered = { kind: 'answered', status: 201, body: { a: 1 } } as const;
  const running = { kind: 'running', leaseEndsAt: 1_000 } as const;

  it('is to run if nothing is kept', () => expect(nextStep(null, 'a', 0)).toEqual({ kind: 'run' }));

  it('with the same body is to return the answer, to wait for it, or to run again', () => {
    expect(nextStep(entryWith(answered), 'a', 0)).toEqual({ kind: 'replay', answer: answered });
    expect(nextStep(entryWith(running), 'a', 999)).toEqual({ kind: 'wait' });
    expect(nextStep(entryWith(running), 'a', 1_000).kind).toBe('run_again');
    expect(nextStep(entryWith({ kind: 'interrupted' }), 'a', 0).kind).toBe('run_again');
  });

  it.each([answered, running, { kind: 'interrupted' } as const])('with another body is to refuse it (%j)', (progress) =>
    expect(nextStep(entryWith(progress), 'b', 2_000)).toEqual({ kind: 'refuse_as_reused' }),
  );
});

// Bug: with a lease of 15 s and waits of up to 76 s, a repetition ran beside its first request.
it.each([1, 5_000, 60_000])(
  'a lease outlasts a request that uses every timeout fully, with READ_MODEL_WAIT_MS=%i',
  (readModelWaitMs) => {
    const { queryTimeoutMs, commandTimeoutMs, readModelMarginMs } = edgeLimits;
    expect(leaseMsOf(readModelWaitMs)).toBeGreaterThan(
      queryTimeoutMs + commandTimeoutMs + readModelWaitMs + readModelMarginMs,
    );
    expect(leaseMsOf(readModelWaitMs)).toBeLessThan(readModelWaitMs + 30_000);
  },
);

describe('the header', () => {
  const keyOf = (value?: string) =>
    idempotencyKeyOf({ headers: value === undefined ? {} : { 'idempotency-key': value } });
  const inLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

  it('has 1 to 128 characters, counted in code points', () => {
    expect(keyOf()).toBeNull();
    expect(keyOf('k')).toBe('k');
    expect(keyOf('k'.repeat(128))).toHaveLength(128);
    expect(keyOf(inLatin1('ключ'))).toBe('ключ');
    expect(keyOf(inLatin1('🔑'.repeat(128)))).toBe('🔑'.repeat(128));
    expect(keyOf('\u00ff')).toBe('\u00ff');
  });

  it.each(['', 'k'.repeat(129), inLatin1('🔑'.repeat(129))])('%j is refused', (value) =>
    expect(() => keyOf(value)).toThrow('must have 1 to 128 characters'),
  );
});

describe('the scope of a key', () => {
  const organisation = { orgId: 'o', orgName: 'O', universe: production, namedKey: null };
  const inSandbox = { ...organisation, universe: { kind: 'sandbox', orgId: 'o' } as const };
  const agent = { agentId: 'a', universe: production, orgId: null, block: null };
  const named = {
    by: 'oidc_token',
    id: 'alice',
    issuer: 'https://login.example',
    role: 'admin',
    expiresAt: '',
  } as const;

  it('differs between credentials with different permissions', () => {
    const scopes = [
      scopeOfCaller({ kind: 'anonymous' }, 'a'),
      scopeOfCaller({ kind: 'anonymous' }, 'b'),
      scopeOfCaller({ kind: 'agent', agent }, 'x'),
      scopeOfCaller({ kind: 'organisation', organisation }, 'x'),
      scopeOfCaller({ kind: 'organisation', organisation: inSandbox }, 'x'),
      scopeOfCaller({ kind: 'operator', operator: { by: 'admin_token' } }, 'x'),
      scopeOfCaller({ kind: 'operator', operator: { ...named, by: 'operator_key' } }, 'x'),
      scopeOfCaller({ kind: 'operator', operator: named }, 'x'),
      scopeOfCaller({ kind: 'operator', operator: { ...named, issuer: 'https://other.example' } }, 'x'),
      scopeOfCredentials({ agent, organisation, operator: null }),
      scopeOfCredentials({ agent, organisation: inSandbox, operator: null }),
      scopeOfCredentials({ agent: null, organisation, operator: { by: 'admin_token' } }),
    ];
    expect(new Set(scopes.map((scope) => JSON.stringify(scope))).size).toBe(scopes.length);
    // Anyone can register an agent without an organisation.
    expect(scopes.map(({ isUnaffiliated }) => isUnaffiliated)).toEqual([
      true,
      true,
      true,
      ...Array<boolean>(9).fill(false),
    ]);
    expect(scopes.map(({ orgId }) => orgId)).toEqual([
      null,
      null,
      null,
      'o',
      'o',
      null,
      null,
      null,
      null,
      'o',
      'o',
      null,
    ]);
    const owned = scopeOfCaller({ kind: 'agent', agent: { ...agent, orgId: 'o' } }, 'x');
    expect([owned.isUnaffiliated, owned.orgId]).toEqual([false, 'o']);
    expect(scopeOfCredentials({ agent, organisation: null, operator: { by: 'admin_token' } })).toMatchObject({
      isUnaffiliated: false,
      orgId: null,
    });
  });

  it("is the credential's, whatever the request concerns", () => {
    expect(scopeOfCaller({ kind: 'agent', agent }, 'x')).toEqual(scopeOfCaller({ kind: 'agent', agent }, 'y'));
    expect(scopeOfCaller({ kind: 'agent', agent }, 'x')).toEqual(
      scopeOfCredentials({ agent, organisation: null, operator: null }),
    );
  });
});

describe('a value derived from a secret', () => {
  const keys = deriveKeys('s'.repeat(32));

  it('is always the same, and differs for other parts, purposes and secrets', () => {
    const others = [
      keys.nameOf(['a', 'b']),
      keys.nameOf(['ab', '']),
      keys.nameOf(['a', 'b', '']),
      Buffer.from(keys.claimSecretOf(['a', 'b']), 'base64url').toString('hex'),
      deriveKeys('t'.repeat(32)).nameOf(['a', 'b']),
    ];
    expect(new Set(others).size).toBe(others.length);
    expect(deriveKeys('s'.repeat(32)).nameOf(['a', 'b'])).toBe(others[0]);
  });

  it('is a claim token of the agent', () => {
    const tokenOf = claimTokenDerivedFrom(keys, ['register', 'key']);
    expect(agentIdOfClaimToken(tokenOf('an agent'))).toBe('an agent');
    expect(tokenOf('an agent')).toBe(tokenOf('an agent'));
    expect(tokenOf('an agent')).not.toContain(tokenOf('another').split('.')[1]);
  });
});

describe('a sealed text', () => {
  const key: SealKeys = [randomBytes(32)];

  it('opens with its key and name, and reveals nothing without them', () => {
    const text = 'claim_link ünd so weiter';
    const sealed = seal(key, 'n', text);
    expect(unseal(key, 'n', sealed)).toBe(text);
    expect(Buffer.from(sealed).includes('claim_link')).toBe(false);
    expect(Buffer.from(seal(key, 'n', text)).equals(sealed)).toBe(false);
    expect(unseal(key, 'n', seal(key, 'n', ''))).toBe('');
  });

  it('opens with a key behind the first, with which new ones are sealed', () => {
    const [fresh] = [randomBytes(32)];
    const both: SealKeys = [fresh, ...key];
    expect(unseal(both, 'n', seal(key, 'n', 'text'))).toBe('text');
    expect(unseal([fresh], 'n', seal(both, 'n', 'text'))).toBe('text');
    expect(() => unseal(key, 'n', seal(both, 'n', 'text'))).toThrow('cannot be opened');
  });

  it('does not open with another key, under another name, or after a change', () => {
    const sealed = seal(key, 'n', 'text');
    expect(() => unseal([randomBytes(32)], 'n', sealed)).toThrow('cannot be opened');
    expect(() => unseal(key, 'm', sealed)).toThrow('cannot be opened');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at]! ^= 1;
      expect(() => unseal(key, 'n', changed)).toThrow('cannot be opened');
    }
    expect(() => unseal(key, 'n', new Uint8Array(5))).toThrow('cannot be opened');
  });
});
