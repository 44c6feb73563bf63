import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentIdOfClaimToken,
  claimLink,
  mintClaimToken,
  sameSecret,
  sha256Hex,
  isAgentKey,
  isOrgKey,
  mintKey,
} from './keys.ts';

describe('keys', () => {
  it('have their prefix and 32 bytes, and are never equal', () => {
    expect(mintKey('agent')).toMatch(/^registry-agent-sk-[A-Za-z0-9_-]{43}$/u);
    expect(mintKey('organisation')).toMatch(/^registry-org-sk-[A-Za-z0-9_-]{43}$/u);
    expect(mintKey('organisationSandbox')).toMatch(/^registry-org-sandbox-sk-[A-Za-z0-9_-]{43}$/u);
    expect(new Set(Array.from({ length: 100 }, () => mintKey('agent')))).toHaveProperty('size', 100);
  });

  it('are distinguished by kind', () => {
    expect([
      isAgentKey(mintKey('agent')),
      isAgentKey(mintKey('organisation')),
      isAgentKey(`${mintKey('agent')}\n`),
    ]).toEqual([true, false, false]);
    expect([
      isOrgKey(mintKey('organisation')),
      isOrgKey(mintKey('organisationSandbox')),
      isOrgKey(mintKey('agent')),
    ]).toEqual([true, true, false]);
    expect(isOrgKey(`${mintKey('organisation')}, ${mintKey('organisation')}`)).toBe(false);
  });
});

describe('claim tokens', () => {
  it("contain their agent's id, whatever its characters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 128 }).filter((id) => id.isWellFormed()),
        (agentId) => {
          const token = mintClaimToken(agentId);
          expect(agentIdOfClaimToken(token)).toBe(agentId);
          expect(new URL(claimLink('http://x', token)).searchParams.get('token')).toBe(token);
        },
      ),
      { numRuns: 300, seed: 20_260_101 },
    );
  });

  const secret = mintClaimToken('a').split('.')[1] ?? '';
  it.each([
    ['nothing', ''],
    ['no secret', 'YQ'],
    ['an empty id', `.${secret}`],
    ['a short secret', `YQ.${secret.slice(1)}`],
    ['three parts', `YQ.${secret}.${secret}`],
    ['an id with padding bits set', `YR.${secret}`],
    ['an id that is not UTF-8', `_w.${secret}`],
    ['other characters', `YQ.${secret.slice(1)}+`],
  ])('are not %s', (_what, token) => {
    expect(agentIdOfClaimToken(token)).toBeNull();
  });
});

it('secrets of any length can be compared', () => {
  expect([sameSecret('a', 'a'), sameSecret('a', 'b'), sameSecret('', 'a'), sameSecret('aa', 'a')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
