import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose';

type SigningKey = { kid: string; alg: string; privateKey: GenerateKeyPairResult['privateKey']; publicJwk: JWK };

/** What a token says; a claim of undefined is left out. */
export type TokenRequest = {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
};

export type OidcIssuer = {
  /** `iss` of its tokens, and where its configuration is. */
  readonly url: string;
  readonly audience: string;
  /** How often its keys were asked for. */
  readonly keyRequests: number;
  /** A token signed with its newest key, valid for five minutes unless the claims say otherwise. */
  token(request?: TokenRequest): Promise<string>;
  /** Publishes a new key, with which it signs from now on; the former ones only if `keepsOld`. */
  rotate(options?: { alg?: string; keepsOld?: boolean }): Promise<string>;
  /** The public half of the newest key. */
  publicJwk(): JWK;
  /** How it answers from now on: as it should, never, with an error, or with other keys. */
  behave(as: 'well' | 'silent' | 'broken' | { keys: unknown[] }): void;
  stop(): Promise<void>;
};

let made = 0;

/** A small OpenID Connect issuer over HTTP on loopback, with its configuration and its keys. POST /token has it sign a TokenRequest. */
export async function startOidcIssuer({ audience = 'agent-trust' }: { audience?: string } = {}): Promise<OidcIssuer> {
  let keys: SigningKey[] = [];
  let behaviour: Parameters<OidcIssuer['behave']>[0] = 'well';
  let keyRequests = 0;
  const makeKey = async (alg: string): Promise<SigningKey> => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    made += 1;
    const kid = `key-${made}`;
    return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
  };
  const newest = (): SigningKey => keys.at(-1) as SigningKey;
  const token = ({ claims = {}, header = {} }: TokenRequest = {}): Promise<string> => {
    const { kid, alg, privateKey } = newest();
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: url, aud: audience, sub: 'alice', iat: now, exp: now + 300, ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>)
      .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
      .sign(privateKey);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (body: unknown): void => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    };
    if (request.url === '/token') {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      return send({ token: await token(JSON.parse(Buffer.concat(parts).toString('utf8')) as TokenRequest) });
    }
    if (request.url === '/jwks') keyRequests += 1;
    if (behaviour === 'silent') return;
    if (behaviour === 'broken') return void response.writeHead(500).end('broken');
    if (request.url === '/jwks') {
      return send(typeof behaviour === 'object' ? behaviour : { keys: keys.map(({ publicJwk }) => publicJwk) });
    }
    send({ issuer: url, jwks_uri: `${url}/jwks` });
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  keys = [await makeKey('RS256')];
  return {
    url,
    audience,
    get keyRequests() {
      return keyRequests;
    },
    token,
    rotate: async ({ alg = 'ES256', keepsOld = false } = {}) => {
      const key = await makeKey(alg);
      keys = keepsOld ? [...keys, key] : [key];
      return key.kid;
    },
    publicJwk: () => newest().publicJwk,
    behave: (as) => {
      behaviour = as;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
