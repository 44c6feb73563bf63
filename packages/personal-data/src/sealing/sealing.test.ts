import { randomUUID } from 'node:crypto';
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentKey, newAgentKey, unwrapKey, wrapKey, wrappingKeyOf } from './agent-key.ts';
import { openText, type SealedAs, sealText } from './seal-text.ts';

const key = newAgentKey('agent-1', randomUUID());
const field = fc.constantFrom<SealedAs>('contactInfo', 'contactEmail', { answerTo: 'exchange-1' });

describe('a sealed text', () => {
  it('opens with its key as the same text, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), field, (text, as) => {
        const sealed = sealText(key, as, text);
        expect(sealed.keyId).toBe(key.keyId);
        expect(openText(key, as, sealed)).toBe(text);
      }),
    );
  });

  it('is equal for the same text and field under one key, and differs otherwise', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const sealed = sealText(key, 'contactInfo', a).sealed;
        expect(sealText(key, 'contactInfo', b).sealed === sealed).toBe(a === b);
        expect(sealText(key, 'contactEmail', a).sealed).not.toBe(sealed);
        expect(sealText(newAgentKey(key.agentId, key.keyId), 'contactInfo', a).sealed).not.toBe(sealed);
      }),
    );
  });

  // AES-GCM reveals its texts, and allows forgeries, if a nonce is used twice under one key.
  it('has a unique nonce', () => {
    const nonces = new Set<string>();
    const count = runs(500, 5_000);
    for (let n = 0; n < count; n += 1) {
      for (const as of ['contactInfo', 'contactEmail'] as const)
        nonces.add(
          Buffer.from(sealText(key, as, `text ${n}`).sealed, 'base64url')
            .subarray(0, 12)
            .toString('hex'),
        );
    }
    expect(nonces.size).toBe(2 * count);
  });

  it.each<[string, AgentKey, SealedAs]>([
    ['as another field', key, 'contactEmail'],
    ['as an answer', key, { answerTo: 'contactInfo' }],
    ['as of another agent', { ...key, agentId: 'agent-2' }, 'contactInfo'],
    ['under the name of another key', { ...key, keyId: randomUUID() }, 'contactInfo'],
    ['with another key', newAgentKey(key.agentId, key.keyId), 'contactInfo'],
  ])('does not open %s', (_, other, as) => {
    const sealed = sealText(key, 'contactInfo', 'ring twice');
    expect(() => openText(other, as, sealed)).toThrow('does not open with its key');
  });

  it('that answers a review opens as the answer to no other', () => {
    const sealed = sealText(key, { answerTo: 'exchange-1' }, 'We have refunded it.');
    expect(sealText(key, { answerTo: 'exchange-2' }, 'We have refunded it.').sealed).not.toBe(sealed.sealed);
    for (const as of ['contactInfo', { answerTo: 'exchange-2' }] as const)
      expect(() => openText(key, as, sealed)).toThrow('does not open with its key');
  });

  it('does not open if a bit is flipped, and the failure reveals nothing of the text', () => {
    const bytes = Buffer.from(sealText(key, 'contactInfo', 'ring twice').sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openText(key, 'contactInfo', { sealed: changed.toString('base64url') })).toThrow(/^a text of/u);
    }
  });

  it('does not contain the text', () => {
    const sealed = sealText(key, 'contactEmail', 'owner@agent.example').sealed;
    const bytes = Buffer.from(sealed, 'base64url').toString('latin1');
    for (const part of ['owner', 'agent', '@']) expect(`${sealed} ${bytes}`).not.toContain(`${part}.example`);
    expect(bytes).not.toContain('owner@');
  });
});

describe('an agent key', () => {
  const wrapping = wrappingKeyOf('a secret of at least 32 characters');

  it('unwraps to the same key, and is never wrapped the same way twice', () => {
    const wrapped = wrapKey(wrapping, key);
    expect(unwrapKey(wrapping, wrapped)).toEqual(key);
    expect(wrapKey(wrapping, key).wrapped.equals(wrapped.wrapped)).toBe(false);
    expect(wrapped.wrapped.includes(key.bytes)).toBe(false);
  });

  it('is unwrapped with either value while PERSONAL_DATA_KEY is replaced, and wrapped with the current one', () => {
    const [old, fresh] = ['the former secret of 32 characters', 'the present secret of 32 characters'];
    const byOld = wrapKey(wrappingKeyOf(old), key);
    const both = wrappingKeyOf(fresh, old);
    expect(unwrapKey(both, byOld)).toEqual(key);
    const byFresh = wrapKey(both, key);
    expect(unwrapKey(wrappingKeyOf(fresh), byFresh)).toEqual(key);
    expect(unwrapKey(wrappingKeyOf(old, fresh), byFresh)).toEqual(key);
    expect(() => unwrapKey(wrappingKeyOf(fresh), byOld)).toThrow('PERSONAL_DATA_KEY_PREVIOUS');
    expect(() => unwrapKey(wrappingKeyOf(old), byFresh)).toThrow('PERSONAL_DATA_KEY_PREVIOUS');
  });

  it('that was wrapped before ids were stored is unwrapped with either value', () => {
    const { wrapped } = wrapKey(wrapping, key);
    const without = { ...key, wrapped: wrapped.subarray(8) };
    expect(unwrapKey(wrapping, without)).toEqual(key);
    const other = 'another secret of 32 characters..';
    expect(unwrapKey(wrappingKeyOf(other, 'a secret of at least 32 characters'), without)).toEqual(key);
    expect(() => unwrapKey(wrappingKeyOf(other), without)).toThrow('cannot be opened');
  });

  it('is not unwrapped with another PERSONAL_DATA_KEY, nor as the key of another agent', () => {
    const wrapped = wrapKey(wrapping, key);
    expect(() => unwrapKey(wrappingKeyOf('another secret of 32 characters..'), wrapped)).toThrow('PERSONAL_DATA_KEY');
    expect(() => unwrapKey(wrapping, { ...wrapped, agentId: 'agent-2' })).toThrow('cannot be opened');
    expect(() => unwrapKey(wrapping, { ...wrapped, keyId: randomUUID() })).toThrow('cannot be opened');
  });
});
