/** An Ed25519 private key of WebCrypto, in Node and in browsers. */
export type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export type KeyPair = {
  /** base64url of 32 bytes: an agent's `public_key`. */
  publicKey: string;
  privateKey: PrivateKey;
};

/** A new Ed25519 key pair. The private key can be exported for storage; never send it anywhere. */
export async function generateKeyPair(): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])) as unknown as {
    publicKey: PrivateKey;
    privateKey: PrivateKey;
  };
  return { publicKey: await publicKeyText(pair.privateKey), privateKey: pair.privateKey };
}

/** A private key as PKCS #8 in PEM, the format of OpenSSL and most tools. */
export async function exportPrivateKeyPem(privateKey: PrivateKey): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...bytes))}\n-----END PRIVATE KEY-----\n`;
}

/** A private key as JWK (RFC 8037): `x` is the public key, `d` the secret. */
export async function exportPrivateKeyJwk(privateKey: PrivateKey): Promise<Ed25519Jwk> {
  const { x = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  return { kty: 'OKP', crv: 'Ed25519', x, d };
}

export type Ed25519Jwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string };

/**
 * The key pair in a PKCS #8 PEM text or a JWK.
 *
 * @throws TypeError if it contains no Ed25519 private key; the message shows nothing of the text.
 */
export async function importKeyPair(key: string | Ed25519Jwk): Promise<KeyPair> {
  try {
    const privateKey =
      typeof key === 'string'
        ? await crypto.subtle.importKey('pkcs8', pemBytes(key), { name: 'Ed25519' }, true, ['sign'])
        : await crypto.subtle.importKey('jwk', { ...key, key_ops: ['sign'] }, { name: 'Ed25519' }, true, ['sign']);
    return { publicKey: await publicKeyText(privateKey), privateKey };
  } catch (cause) {
    throw new TypeError('this is no Ed25519 private key as PKCS #8 PEM or JWK', { cause });
  }
}

const publicKeyText = async (privateKey: PrivateKey): Promise<string> =>
  (await crypto.subtle.exportKey('jwk', privateKey)).x ?? '';

const pemBytes = (pem: string): Uint8Array<ArrayBuffer> => {
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/u.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('no PEM text with a private key');
  return Uint8Array.from(atob(body.replaceAll(/\s+/gu, '')), (char) => char.charCodeAt(0));
};
