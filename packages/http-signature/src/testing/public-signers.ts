import { createPrivateKey, type KeyObject, webcrypto as nodeCrypto } from 'node:crypto';
import { createSignature, webcrypto } from 'http-message-sig';
import { createSigner, httpbis } from 'http-message-signatures';
import { signatureHeaders } from 'web-bot-auth';
import { Ed25519Signer } from 'web-bot-auth/crypto';
import { getPublicKeyAsync } from '@noble/ed25519';

/** A client's request, including Content-Digest. */
export type ClientRequest = { method: string; url: string; headers: Record<string, string> };
export type SignedHeaders = { 'signature-input': string; signature: string };

/** An Ed25519 key in the formats of various clients. */
export type ClientKey = {
  keyId: string;
  seed: Uint8Array;
  /** base64url, as in an agent's `public_key`. */
  publicKey: string;
  keyObject: KeyObject;
  cryptoKey: nodeCrypto.CryptoKey;
};

/** The key of a seed of 32 bytes. */
export async function clientKey(keyId: string, seed: Uint8Array): Promise<ClientKey> {
  const publicKey = Buffer.from(await getPublicKeyAsync(seed)).toString('base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: Buffer.from(seed).toString('base64url') };
  const keyObject = createPrivateKey({ key: jwk, format: 'jwk' });
  const cryptoKey = await nodeCrypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, true, ['sign']);
  return { keyId, seed, publicKey, keyObject, cryptoKey };
}

const components = ['@method', '@path', 'content-digest'];

/** Public signing libraries, configured as the registry requires, with their defaults otherwise. */
export const publicSigners: Readonly<
  Record<string, (request: ClientRequest, key: ClientKey, nonce: string, created: Date) => Promise<SignedHeaders>>
> = {
  'http-message-signatures': async (request, key, nonce, created) => {
    const { headers } = await httpbis.signMessage(
      {
        key: createSigner(key.keyObject as never, 'ed25519', key.keyId),
        name: 'sig1',
        fields: components,
        params: ['created', 'keyid', 'alg', 'nonce'],
        paramValues: { created, nonce },
      },
      request,
    );
    return { 'signature-input': String(headers['Signature-Input']), signature: String(headers['Signature']) };
  },

  'http-message-sig': async ({ method, url, headers }, key, nonce, created) => {
    const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
    const { signatureInput, signature } = await createSignature(
      { kind: 'request', method, targetUri: url, fields },
      {
        components,
        parameters: { created: seconds(created), keyid: key.keyId, alg: 'ed25519', nonce },
        signer: webcrypto.signer(key.cryptoKey),
      },
    );
    return { 'signature-input': signatureInput, signature };
  },

  // Its nonces are 64 bytes in base64; it adds `expires` and a tag, and covers @authority unless configured otherwise.
  'web-bot-auth': async (request, key, nonce, created) => {
    const signed = await signatureHeaders(request, new Ed25519Signer(key.keyId, key.cryptoKey), {
      created,
      expires: new Date(created.getTime() + 60_000),
      nonce: Buffer.alloc(64, nonce).toString('base64'),
      components: ['@authority', ...components],
    });
    return { 'signature-input': signed['Signature-Input'], signature: signed['Signature'] };
  },
};

const seconds = (time: Date): number => Math.floor(time.getTime() / 1_000);
