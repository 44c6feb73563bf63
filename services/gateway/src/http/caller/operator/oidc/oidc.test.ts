/**
 * Bugs: a token is taken that the issuer did not make for this registry (RFC 8725); tokens with made-up keys make the gateway ask the issuer once for
 * each; a silent issuer stops all operators, or is never asked again. Method: a real issuer over HTTP, and a clock of the test.
 */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createSafeFetch } from '@agent-trust/safe-fetch';
import { createLogger } from '@agent-trust/service-kit';
import { type OidcIssuer, startOidcIssuer, type TokenRequest } from '@agent-trust/test-kit/oidc-issuer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oidcLimits } from './limits.ts';
import { createReadToken, looksLikeToken, type ReadToken } from './read-token.ts';
import { createSigningKeys } from './signing-keys.ts';

let issuer: OidcIssuer;
let safeFetch: ReturnType<typeof createSafeFetch>;
let lines: string[];
let clockMs: number;
let reading: ReadToken;
const now = (): number => Date.now() + clockMs;

const start = (nameClaim = 'sub'): ReadToken => {
  const logger = createLogger({
    service: 'gateway',
    instanceId: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const keys = createSigningKeys({ issuer: issuer.url, safeFetch, logger, now });
  const roles = new Map([
    ['readers', 'viewer'],
    ['on call', 'operator'],
    ['owners', 'admin'],
  ] as const);
  const { audience } = issuer;
  return createReadToken(keys, { issuer: issuer.url, audience, roles, roleClaim: 'groups', nameClaim, now });
};

beforeEach(async () => {
  issuer = await startOidcIssuer();
  safeFetch = createSafeFetch({ allow: '127.0.0.1' });
  lines = [];
  clockMs = 0;
  reading = start();
  return async () => {
    await safeFetch.close();
    await issuer.stop();
  };
});
afterEach(() => issuer.behave('well'));

const seconds = (): number => Math.floor(now() / 1_000);
const base64 = (value: object | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');
const claims = (): object => ({
  iss: issuer.url,
  aud: issuer.audience,
  sub: 'mallory',
  groups: ['owners'],
  iat: seconds(),
  exp: seconds() + 300,
});
/** A token that was not made by the issuer. */
const forged = (header: object, signature: (input: string) => Buffer): string => {
  const input = `${base64(header)}.${base64(claims())}`;
  return `${input}.${base64(signature(input))}`;
};
const rsa = (key: KeyObject) => (input: string) => sign('sha256', Buffer.from(input), key);
const refusalOf = (token: string): Promise<unknown> =>
  reading.operatorOf(token).then(
    () => 'taken',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
const tokenOf = (more: TokenRequest['claims'], header?: TokenRequest['header']): Promise<string> =>
  issuer.token({ claims: { groups: ['owners'], ...more }, ...(header === undefined ? {} : { header }) });

describe('a token of the issuer', () => {
  it('names the operator, with the highest of its roles', async () => {
    const operator = { id: 'alice', issuer: issuer.url };
    const roleOf = async (groups: unknown) => (await reading.operatorOf(await tokenOf({ groups }))).role;
    expect(await reading.operatorOf(await tokenOf({}))).toEqual({
      ...operator,
      role: 'admin',
      expiresAt: expect.stringMatching(/Z$/u) as string,
    });
    const iat = seconds();
    const endsAt = async (exp: number) =>
      Date.parse((await reading.operatorOf(await tokenOf({ iat, exp }))).expiresAt) / 1_000;
    expect(await endsAt(iat + 300)).toBe(iat + 300);
    expect(await endsAt(iat + 10 * oidcLimits.tokenAgeSecondsMax)).toBe(iat + oidcLimits.tokenAgeSecondsMax);
    expect(await roleOf(['readers', 'on call', 'others'])).toBe('operator');
    expect(await roleOf('profile readers')).toBe('viewer');
    expect(await roleOf('on call')).toBe('operator');
    for (const groups of [[], ['others'], 'Owners', { owners: true }, 7, [['owners']], undefined]) {
      expect(await roleOf(groups)).toBeNull();
    }
  });

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('is taken with a signature by %s', async (alg) => {
    await issuer.rotate({ alg });
    clockMs += oidcLimits.askEveryMs;
    expect(await reading.operatorOf(await tokenOf({}))).toMatchObject({ id: 'alice' });
  });

  it('may be an access token, and may have several audiences', async () => {
    expect(await refusalOf(await tokenOf({ aud: ['others', issuer.audience] }, { typ: 'at+jwt' }))).toBe('taken');
    expect(await refusalOf(await tokenOf({}, { typ: undefined }))).toBe('taken');
  });
});

describe('a token is refused', () => {
  it.each<[string, () => Record<string, unknown>]>([
    ['for another audience', () => ({ aud: 'others' })],
    ['without an audience', () => ({ aud: undefined })],
    ['of another issuer', () => ({ iss: 'https://other.example' })],
    ['of an issuer that differs by a slash', () => ({ iss: `${issuer.url}/` })],
    ['that has expired', () => ({ exp: seconds() - oidcLimits.skewSeconds - 1 })],
    ['that never expires', () => ({ exp: undefined })],
    ['that is not valid yet', () => ({ nbf: seconds() + oidcLimits.skewSeconds + 5 })],
    ['from the future', () => ({ iat: seconds() + oidcLimits.skewSeconds + 5 })],
    ['of an unknown age', () => ({ iat: undefined })],
    ['that is too old', () => ({ iat: seconds() - oidcLimits.tokenAgeSecondsMax - oidcLimits.skewSeconds - 5 })],
    ['that names nobody', () => ({ sub: undefined })],
    ['whose name hides something', () => ({ sub: 'alice\u202e' })],
    ['whose name is no text', () => ({ sub: ['alice'] })],
    ['that is bound to a key', () => ({ cnf: { jkt: 'x' } })],
  ])('%s', async (_, more) => {
    expect(await refusalOf(await tokenOf(more()))).toMatch(/^invalid_credential: /u);
  });

  it('within the skew of clocks it is not', async () => {
    expect(await refusalOf(await tokenOf({ exp: seconds() - oidcLimits.skewSeconds + 5 }))).toBe('taken');
    expect(await refusalOf(await tokenOf({ nbf: seconds() + oidcLimits.skewSeconds - 5 }))).toBe('taken');
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])('of the type %s', async (typ) => {
    expect(await refusalOf(await tokenOf({}, { typ }))).toMatch(/^invalid_credential: /u);
  });

  it('that is not signed, or with the public key as a shared secret', async () => {
    const { kid } = issuer.publicJwk();
    const jwk = JSON.stringify(issuer.publicJwk());
    const modulus = String(issuer.publicJwk().n);
    const unsigned = ['none', 'None', 'NONE'].map((alg) => forged({ alg, kid }, () => Buffer.alloc(0)));
    const shared = [jwk, modulus, ''].map((secret) =>
      forged({ alg: 'HS256', kid }, (input) => createHmac('sha256', secret).update(input).digest()),
    );
    for (const token of [...unsigned, ...shared]) expect(await refusalOf(token)).toMatch(/^invalid_credential: /u);
  });

  it('that is signed with a key that came with it, or that the issuer does not have', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { kid } = issuer.publicJwk();
    const jwk = publicKey.export({ format: 'jwk' });
    for (const header of [
      { alg: 'RS256', kid },
      { alg: 'RS256' },
      { alg: 'RS256', kid, jwk },
      { alg: 'RS256', kid: 'unknown', jwk, jku: `${issuer.url}/mine` },
      { alg: 'RS256', kid, crit: ['mine'], mine: true },
    ]) {
      expect(await refusalOf(forged(header, rsa(privateKey)))).toMatch(/^invalid_credential: /u);
    }
  });

  it('that is named by an address which the issuer has not verified', async () => {
    reading = start('email');
    const email = 'alice@acme.example';
    expect(await refusalOf(await tokenOf({ email, email_verified: false }))).toContain('not verified');
    for (const verified of [true, undefined])
      expect(await refusalOf(await tokenOf({ email, email_verified: verified }))).toBe('taken');
  });

  it.each([7, null, true, ['JWT'], {}])('whose type is %j, which is no text', async (typ) => {
    expect(await refusalOf(await tokenOf({}, { typ } as never))).toMatch(/^invalid_credential: /u);
  });

  // Anybody can name such a key, or none: it must not be an internal error, nor stop tokens that another key of the issuer has signed.
  it.each([
    ['too short', { kty: 'RSA', n: Buffer.alloc(128, 0xab).toString('base64url'), e: 'AQAB' }],
    ['damaged', { kty: 'RSA', n: 'AA' }],
    ['without anything', { kty: 'RSA' }],
  ])('with a key of the issuer that is %s', async (_, unusable) => {
    const good = issuer.publicJwk();
    issuer.behave({ keys: [{ ...unusable, kid: 'unusable' }, good] });
    reading = start();
    for (const header of [{ alg: 'RS256', kid: 'unusable' }, { alg: 'RS256' }, { alg: 'PS256' }])
      expect(await refusalOf(forged(header, () => Buffer.alloc(256)))).toMatch(/^invalid_credential: /u);
    expect(await refusalOf(await tokenOf({}))).toBe('taken');
    expect(await refusalOf(await tokenOf({}, { kid: undefined } as never))).toBe('taken');
  });

  it('that was changed', async () => {
    const [header = '', , signature = ''] = (await tokenOf({})).split('.');
    expect(await refusalOf(`${header}.${base64(claims())}.${signature}`)).toMatch(/^invalid_credential: /u);
  });

  it('with a shared secret that the issuer publishes among its keys', async () => {
    const k = base64(Buffer.from('a secret that everybody can read'));
    issuer.behave({ keys: [{ kty: 'oct', k, kid: 'shared', alg: 'HS256' }, issuer.publicJwk()] });
    reading = start();
    const token = forged({ alg: 'HS256', kid: 'shared' }, (input) =>
      createHmac('sha256', Buffer.from(k, 'base64url')).update(input).digest(),
    );
    expect(await refusalOf(token)).toMatch(/^invalid_credential: /u);
    expect(await refusalOf(await tokenOf({}))).toBe('taken');
  });
});

it('a text that has not the form of a token is not read', () => {
  for (const text of ['', 'eyJ', 'a.b.c', `eyJ.${'a'.repeat(oidcLimits.tokenCharsMax)}.b`, 'registry-agent-sk-x'])
    expect(looksLikeToken(text)).toBe(false);
});

it('a token for this registry is recognised without being checked', async () => {
  expect(reading.isForRegistry(await tokenOf({ exp: 1 }))).toBe(true);
  expect(reading.isForRegistry(await tokenOf({ aud: 'others' }))).toBe(false);
  expect(reading.isForRegistry('eyJhbGciOiJub25lIn0.e30.')).toBe(false);
});

describe("the issuer's keys", () => {
  const unknownKey = (at: number): string => forged({ alg: 'RS256', kid: `made-up-${at}` }, () => Buffer.alloc(256));

  it('are asked for once for any number of tokens, also of made-up keys', async () => {
    await reading.operatorOf(await tokenOf({}));
    const refusals = await Promise.all(Array.from({ length: 500 }, (_, at) => refusalOf(unknownKey(at))));
    expect(new Set(refusals)).toEqual(new Set([expect.stringContaining('no such key')]));
    expect(issuer.keyRequests).toBe(1);
    clockMs += oidcLimits.askEveryMs;
    await Promise.all(Array.from({ length: 500 }, (_, at) => refusalOf(unknownKey(at))));
    expect(issuer.keyRequests).toBe(2);
  });

  it('may be replaced: a new one works, and an old one stops working', async () => {
    const old = await tokenOf({});
    expect(await refusalOf(old)).toBe('taken');
    await issuer.rotate();
    // Asked just now.
    expect(await refusalOf(await tokenOf({}))).toContain('no such key');
    clockMs += oidcLimits.askEveryMs;
    expect(await refusalOf(await tokenOf({}))).toBe('taken');
    expect(await refusalOf(old)).toContain('no such key');
  });

  it('that nobody asks for anew are asked for when they are no longer fresh', async () => {
    const old = await tokenOf({});
    await reading.operatorOf(old);
    await issuer.rotate();
    clockMs += oidcLimits.keysFreshMs;
    // This one has them read in the background.
    expect(await refusalOf(old)).toMatch(/taken|invalid/u);
    await expect.poll(() => issuer.keyRequests).toBe(2);
    await expect.poll(async () => refusalOf(old)).toMatch(/no such key|older/u);
  });

  it.each(['silent', 'broken'] as const)(
    'go on to work while the issuer is %s, without a wait, but not for ever',
    async (how) => {
      const valid = () => tokenOf({ iat: seconds(), exp: seconds() + 300 });
      expect(await refusalOf(await valid())).toBe('taken');
      issuer.behave(how);
      clockMs += oidcLimits.keysFreshMs;
      const begun = performance.now();
      for (let count = 0; count < 20; count += 1) expect(await refusalOf(await valid())).toBe('taken');
      expect(performance.now() - begun).toBeLessThan(oidcLimits.askTimeoutMs);
      clockMs += oidcLimits.keysKeptMs;
      expect(await refusalOf(await valid())).toMatch(/^unavailable: /u);
      const asked = issuer.keyRequests;
      // No request of the issuer for each token, and no wait, while it is known to be silent.
      const refusals = await Promise.all(Array.from({ length: 100 }, async () => refusalOf(await valid())));
      expect(refusals.every((refusal) => String(refusal).startsWith('unavailable'))).toBe(true);
      expect(issuer.keyRequests).toBe(asked);
      issuer.behave('well');
      clockMs += oidcLimits.askEveryMs;
      expect(await refusalOf(await valid())).toBe('taken');
      expect(lines.join('')).toContain('could not be read');
    },
    20_000,
  );

  it('are not taken from an answer that names another issuer', async () => {
    const other = await startOidcIssuer();
    const keys = createSigningKeys({
      issuer: `${other.url}/`,
      safeFetch,
      logger: createLogger({
        service: 'gateway',
        instanceId: 'test',
        level: 'info',
        destination: { write: () => undefined },
      }),
    });
    await expect(keys.current()).rejects.toMatchObject({ code: 'unavailable' });
    await other.stop();
  });
});
