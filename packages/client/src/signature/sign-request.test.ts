import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readSignature, type SignableRequest, verifySignature } from '@agent-trust/http-signature';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportPrivateKeyJwk, exportPrivateKeyPem, generateKeyPair, importKeyPair } from './key-pair.ts';
import { type RequestToSign, signRequest } from './sign-request.ts';
import type { Signer } from './signer.ts';

const pair = await generateKeyPair();
const signer = (more: Partial<Signer> = {}): Signer => ({ agentId: 'agent-1', privateKey: pair.privateKey, ...more });
const now = 1_700_000_000;
const request: RequestToSign = {
  method: 'POST',
  url: 'http://registry.test:8080/rotate',
  body: '{"agent_id":"agent-1"}',
  createdSeconds: now,
};

/** The result of the registry's own verifier: the proven agent, or the reason for a refusal. */
const verified = async (
  sent: RequestToSign,
  by: Signer,
  over: Partial<SignableRequest> = {},
  requiredComponents = ['@method', '@path', 'content-digest'],
): Promise<unknown> => {
  const { host, pathname, search } = new URL(sent.url);
  const reading = readSignature(
    {
      method: sent.method,
      scheme: 'http',
      authority: host,
      requestTarget: `${sent.path ?? pathname}${search}`,
      headers: Object.entries(await signRequest(sent, by)),
      ...over,
    },
    {
      policy: { label: 'sig1', requiredComponents, skewSeconds: 300 },
      nowSeconds: now,
      bodySha256: createHash('sha256')
        .update(sent.body ?? '')
        .digest(),
    },
  );
  if (reading.kind !== 'read') return reading;
  return (await verifySignature(reading.signature, pair.publicKey)) ?? reading.signature.keyId;
};

describe('a signed request', () => {
  it('is accepted by the registry’s own verifier', async () => {
    expect(await verified(request, signer())).toBe('agent-1');
    expect(await verified({ ...request, body: Uint8Array.of(0, 255, 10) }, signer())).toBe('agent-1');
    expect(await verified({ method: 'POST', url: request.url, createdSeconds: now }, signer())).toBe('agent-1');
  });

  it('is refused once any part of it has changed', async () => {
    expect(await verified(request, signer(), { method: 'GET' })).toBe('signature_mismatch');
    expect(await verified(request, signer(), { requestTarget: '/call' })).toBe('signature_mismatch');
    const other = await generateKeyPair();
    expect(await verified(request, signer({ privateKey: other.privateKey }))).toBe('signature_mismatch');
  });

  it('names any agent_id in its one spelling', async () => {
    const ids = ['café', 'a"b\\c', '100%', '日本 "%', '😀', '~!;=(),', 'a b'];
    for (const agentId of ids) expect(await verified(request, signer({ agentId }))).toBe(agentId);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (agentId) => {
        fc.pre(!/\p{Cc}/u.test(agentId) && agentId.isWellFormed());
        expect(await verified(request, signer({ agentId }))).toBe(agentId);
      }),
      { numRuns: 100 },
    );
  });

  it('covers host and query too, if configured', async () => {
    const strict = ['@method', '@path', 'content-digest', '@authority', '@query'];
    const asked = { ...request, url: 'http://registry.test:8080/rotate?a=1%202' };
    expect(await verified(asked, signer({ strict: true }), {}, strict)).toBe('agent-1');
    expect(await verified(request, signer({ strict: true }), {}, strict)).toBe('agent-1');
    expect(await verified(request, signer(), {}, strict)).toMatchObject({ reason: 'component_not_covered' });
  });

  it('signs the path that the registry sees', async () => {
    const behind = { ...request, url: 'http://host.test/registry/rotate', path: '/rotate' };
    expect(await verified(behind, signer())).toBe('agent-1');
  });

  it('has a new nonce each time', async () => {
    const inputs = await Promise.all(
      [1, 2, 3].map(async () => (await signRequest(request, signer()))['signature-input']),
    );
    expect(new Set(inputs).size).toBe(3);
  });
});

describe('a signer that is a function', () => {
  it('signs with a key that the client never sees', async () => {
    const key = createPrivateKey(await exportPrivateKeyPem(pair.privateKey));
    const elsewhere = signer({ privateKey: async (bytes) => sign(null, bytes, key) });
    expect(await verified(request, elsewhere)).toBe('agent-1');
  });

  it('must answer a signature', async () => {
    const short = signer({ privateKey: () => new Uint8Array(63) });
    await expect(signRequest(request, short)).rejects.toThrow(TypeError);
  });

  it('cannot sign for an id that is not a string', async () => {
    await expect(signRequest(request, signer({ agentId: 'a\ud800' }))).rejects.toThrow('well-formed');
  });
});

describe('a key pair', () => {
  it('survives its export, in both forms', async () => {
    for (const kept of [await exportPrivateKeyPem(pair.privateKey), await exportPrivateKeyJwk(pair.privateKey)]) {
      const again = await importKeyPair(kept);
      expect(again.publicKey).toBe(pair.publicKey);
      expect(await verified(request, signer({ privateKey: again.privateKey }))).toBe('agent-1');
    }
    expect(pair.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/u);
  });

  it('has the format of other tools', async () => {
    const read = createPrivateKey(await exportPrivateKeyPem(pair.privateKey));
    expect(read.asymmetricKeyType).toBe('ed25519');
    expect(read.export({ format: 'jwk' })).toMatchObject({ x: pair.publicKey });
  });

  it('is refused without showing any of it', async () => {
    const jwk = await exportPrivateKeyJwk(pair.privateKey);
    for (const fault of [
      '',
      'secret-text',
      '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----',
      { ...jwk, d: 'x' },
    ]) {
      const refused = await importKeyPair(fault).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(TypeError);
      expect(String(refused)).not.toMatch(/secret|c2Vj/u);
    }
  });
});
