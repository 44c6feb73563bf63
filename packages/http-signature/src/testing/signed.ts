import { createHash } from 'node:crypto';
import { contentDigestHeader } from '../content-digest.ts';
import { type SigningOptions, signatureParameters, signRequest } from '../sign-request.ts';
import { type ClientKey, clientKey } from './public-signers.ts';

export function digestOf(body: string): string {
  return contentDigestHeader(createHash('sha256').update(body).digest());
}
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

let nonces = 0;
export function freshNonce(): string {
  return `nonce-${process.pid}-${(nonces += 1)}`;
}

/** A key derived from a number. */
export function keyOf(keyId: string, number = 1): Promise<ClientKey> {
  return clientKey(keyId, new Uint8Array(32).fill(number));
}

export type SignedParts = Partial<SigningOptions> & {
  method?: string;
  createdSeconds?: number;
  nonce?: string;
  keyId?: string;
};

/** Headers of a request with a JSON body, signed as the registry requires; each part can be overridden. */
export async function signedHeaders(
  key: ClientKey,
  url: string,
  body: string,
  parts: SignedParts = {},
): Promise<Record<string, string>> {
  const { host, pathname, search } = new URL(url);
  const { method = 'POST', createdSeconds = nowSeconds(), nonce = freshNonce(), keyId = key.keyId, ...options } = parts;
  const digest = digestOf(body);
  const headers = await signRequest(
    {
      method,
      scheme: 'http',
      authority: host,
      requestTarget: `${pathname}${search}`,
      headers: [
        ['content-digest', digest],
        ['content-type', 'application/json'],
      ],
    },
    {
      secretKey: key.seed,
      label: 'sig1',
      components: ['@method', '@path', 'content-digest'],
      parameters: signatureParameters({ createdSeconds, keyId, nonce }),
      ...options,
    },
  );
  return { 'content-type': 'application/json', 'content-digest': digest, ...headers };
}
