import { openCheckpoint, parseVerifierKey, toHex, type VerifierKey } from '@agent-trust/transparency-log';
import { signingSeed } from '@agent-trust/service-kit';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { jwkOf, logIdentity, verdictClaims } from './log-identity.ts';
import { logOrigin, originOfBaseUrl } from '../settings.ts';

const origin = 'registry.test/log';
// RFC 8032 §7.1, TEST 1.
const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const head = { size: 4, root: new Uint8Array(32).fill(1) };

describe('the identity of a log', () => {
  it("is the seed's key in both of its forms, under one id", async () => {
    const { verifierKey } = await logIdentity(origin, seed);
    const jwk = jwkOf(verifierKey);
    const parsed = parseVerifierKey(verifierKey);
    expect([parsed.name, toHex(parsed.publicKey), parsed.keyId]).toEqual([origin, publicKey, jwk.kid]);
    expect(Buffer.from(jwk.x, 'base64url').toString('hex')).toBe(publicKey);
  });

  it('signs a head to the same text on every instance', async () => {
    const [one, other] = [await logIdentity(origin, seed), await logIdentity(origin, seed)];
    const note = await one.signCheckpoint(head);
    expect(await other.signCheckpoint(head)).toBe(note);
    expect(await openCheckpoint(note, { logKey: parseVerifierKey(one.verifierKey) })).toMatchObject({
      origin,
      ...head,
    });
  });

  it('signs a head by two keys while one replaces the other, and verdicts by the present one', async () => {
    const nextSeed = new Uint8Array(32).fill(3);
    const [before, during, after] = [
      await logIdentity(origin, seed),
      await logIdentity(origin, nextSeed, seed),
      await logIdentity(origin, nextSeed),
    ];
    const [oldKey, newKey] = [before, after].map(({ verifierKey }) => parseVerifierKey(verifierKey)) as [
      VerifierKey,
      VerifierKey,
    ];
    const open = (note: string, logKey: VerifierKey, ...otherLogKeys: VerifierKey[]) =>
      openCheckpoint(note, { logKey, otherLogKeys });
    const notes = await Promise.all([before, during, after].map((identity) => identity.signCheckpoint(head)));
    const [noteBefore = '', noteDuring = '', noteAfter = ''] = notes;
    for (const key of [oldKey, newKey]) expect(await open(noteDuring, key)).toMatchObject({ origin, ...head });
    for (const note of notes) expect(await open(note, newKey, oldKey)).toMatchObject({ origin, ...head });
    await expect(open(noteBefore, newKey)).rejects.toMatchObject({ code: 'unknown_key' });
    await expect(open(noteAfter, oldKey)).rejects.toMatchObject({ code: 'unknown_key' });
    expect(during.verifierKeys).toEqual([after.verifierKey, before.verifierKey]);
    const jws = await during.signVerdict({ iss: origin });
    expect((await compactVerify(jws, await importJWK(jwkOf(after.verifierKey), 'EdDSA'))).protectedHeader.kid).toBe(
      newKey.keyId,
    );
  });

  it('signs verdicts that name agent, universe, position and tree', async () => {
    const identity = await logIdentity(origin, seed);
    const claims = verdictClaims({
      origin: identity.origin,
      agent: { agentId: 'bot', trustScore: 71, trustPolicy: 'v1', recommendedAction: 'proceed' },
      universe: { kind: 'sandbox', orgId: 'not told' },
      position: 9_007_199_254_740_993n,
      checkpoint: head,
      now: new Date(1_767_225_600_999),
    });
    const jws = await identity.signVerdict(claims);
    const { payload, protectedHeader } = await compactVerify(
      jws,
      await importJWK(jwkOf(identity.verifierKey), 'EdDSA'),
    );
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: jwkOf(identity.verifierKey).kid,
      typ: 'agent-trust-verdict+jwt',
    });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      iss: origin,
      iat: 1_767_225_600,
      agent_id: 'bot',
      universe: 'sandbox',
      trust_score: 71,
      trust_policy: 'v1',
      recommended_action: 'proceed',
      position: '9007199254740993',
      log: { origin, size: 4, root: '01'.repeat(32) },
    });
  });
});

describe('settings of signing', () => {
  it('accept a seed of 32 bytes in base64url, and nothing else', () => {
    expect(signingSeed().parse(seed.toString('base64url'))).toEqual(new Uint8Array(seed));
    const wrong = [
      '',
      'short',
      seed.toString('hex'),
      seed.toString('base64'),
      `${seed.toString('base64url').slice(0, -1)}B`,
    ];
    expect(wrong.filter((text) => signingSeed().safeParse(text).success)).toEqual([]);
  });

  it('accept a name that a key can have', () => {
    expect(logOrigin().parse('registry.example/log')).toBe('registry.example/log');
    expect(['', 'a b', 'a+b', 'a\nb', 'x'.repeat(256)].filter((text) => logOrigin().safeParse(text).success)).toEqual(
      [],
    );
  });

  it('name the log after its public address', () => {
    expect(originOfBaseUrl('https://registry.example')).toBe('registry.example/log');
    expect(originOfBaseUrl('http://127.0.0.1:8080/')).toBe('127.0.0.1:8080/log');
    expect(originOfBaseUrl('https://example.org/trust/')).toBe('example.org/trust/log');
  });
});
