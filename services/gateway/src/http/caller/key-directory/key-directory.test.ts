import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSafeFetch, type SafeFetch } from '@agent-trust/safe-fetch';
import { readConfig } from '@agent-trust/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { directoryBases, createKeyDirectory, type KeyDirectory } from './key-directory.ts';
import { chooseKey, type DirectoryKey, type KeyChoice, keyDirectoryLimits, readDirectory } from './directory-keys.ts';

const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const otherX = 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw';
const okp = (fields: object = {}): object => ({ kty: 'OKP', crv: 'Ed25519', x, ...fields });
const directoryOf = (...keys: object[]): string => JSON.stringify({ keys });

describe('a directory', () => {
  it('contributes its Ed25519 keys; other keys are ignored', () => {
    const text = directoryOf(
      okp({ kid: 'a', use: 'sig', alg: 'EdDSA', nbf: 1, exp: 2 }),
      okp(),
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'a' },
      { kty: 'OKP', crv: 'X25519', x, kid: 'a' },
      okp({ use: 'enc', kid: 'a' }),
      okp({ x: 'short' }),
      okp({ x: `${x}=` }),
      okp({ kid: 5 }),
    );
    expect(readDirectory(text)).toEqual({
      keys: [
        { kid: 'a', publicKey: x },
        { kid: null, publicKey: x },
      ],
      ed25519Entries: 6,
    });
    expect(readDirectory('{"keys":[null, 1, "a", []]}')).toEqual({ keys: [], ed25519Entries: 0 });
  });

  it.each(['', 'no JSON', '[]', 'null', '{}', '{"keys":{}}', directoryOf(...Array<object>(257).fill(okp()))])(
    'is refused if it is %.30s',
    (text) => {
      expect(readDirectory(text)).toBeNull();
    },
  );
});

describe('the key of an agent', () => {
  const named = { kid: 'agent-1', publicKey: x };
  const unnamed = { kid: null, publicKey: otherX };
  const among = (keys: DirectoryKey[], agentsOfDomain: number, ed25519Entries = keys.length): KeyChoice =>
    chooseKey({ keys, ed25519Entries }, 'agent-1', agentsOfDomain);

  it('is the one with its id, even if other agents share the domain', () => {
    expect(among([unnamed, named], 7)).toEqual({ publicKey: x });
    expect(among([named], 1)).toEqual({ publicKey: x });
  });

  it('is otherwise the only one, if there is only one agent', () => {
    expect(among([unnamed], 1)).toEqual({ publicKey: otherX });
    expect(among([{ ...named, kid: 'a thumbprint' }], 1)).toEqual({ publicKey: x });
    expect(among([unnamed], 2)).toEqual({ fault: 'directory_key_absent' });
    expect(among([unnamed, { ...named, kid: 'agent-2' }], 1)).toEqual({ fault: 'directory_key_absent' });
    expect(among([], 1)).toEqual({ fault: 'directory_key_absent' });
  });

  // A directory with an unreadable second key has not declared its first key to be everybody's.
  it('is not the only one if there is a malformed key beside it', () => {
    expect(among([unnamed], 1, 2)).toEqual({ fault: 'directory_key_absent' });
    expect(among([named], 1, 2)).toEqual({ publicKey: x });
    for (const beside of [okp({ x: 'short' }), okp({ kid: 5 }), okp({ use: 'enc' }), { kty: 'OKP', crv: 'Ed25519' }]) {
      const read = readDirectory(directoryOf(okp(), beside));
      expect(read === null ? null : chooseKey(read, 'agent-1', 1)).toEqual({ fault: 'directory_key_absent' });
    }
    const besideAnotherType = readDirectory(directoryOf(okp(), { kty: 'RSA' }));
    expect(besideAnotherType === null ? null : chooseKey(besideAnotherType, 'agent-1', 1)).toEqual({ publicKey: x });
  });

  it('is absent if two keys have its id', () => {
    expect(among([named, { ...named, publicKey: otherX }], 1)).toEqual({
      fault: 'directory_key_ambiguous',
    });
  });
});

describe('the request to a domain', () => {
  let now = 1_000_000;
  let server: Server;
  let base = '';
  let safeFetch: SafeFetch;
  let directory: KeyDirectory;
  const asked: string[] = [];
  let answer: (path: string) => { status?: number; body: string; delayMs?: number } = () => ({
    body: directoryOf(okp()),
  });

  beforeEach(async () => {
    asked.length = 0;
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { status = 200, body } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/http-message-signatures-directory+json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    safeFetch = createSafeFetch({ allow: '127.0.0.1' });
    answer = () => ({ body: directoryOf(okp()) });
    const bases = new Map(['acme.test', 'other.test'].map((domain) => [domain, base]));
    directory = createKeyDirectory({ safeFetch, bases, now: () => now });
  });
  afterEach(async () => {
    await safeFetch.close();
    server.closeAllConnections();
    server.close();
  });

  it('goes to the well-known path, once for all waiting requests, and not again for five minutes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => directory.keysOf('acme.test')));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toEqual({ keys: [{ kid: null, publicKey: x }], ed25519Entries: 1 });
    expect(asked).toEqual(['/.well-known/http-message-signatures-directory']);
    now += keyDirectoryLimits.keptMs - 1;
    await directory.keysOf('acme.test');
    expect(asked.length).toBe(1);
    now += 1;
    answer = () => ({ body: directoryOf(okp({ x: otherX })) });
    expect(await directory.keysOf('acme.test')).toEqual({
      keys: [{ kid: null, publicKey: otherX }],
      ed25519Entries: 1,
    });
    await directory.keysOf('other.test');
    expect(asked.length).toBe(3);
  });

  it.each<[string, { status?: number; body: string }, string]>([
    ['a status that is none of success', { status: 404, body: directoryOf(okp()) }, 'directory_refused'],
    ['a redirect, which is not followed', { status: 302, body: directoryOf(okp()) }, 'directory_refused'],
    ['something else than a JWK set', { body: '<html>' }, 'directory_malformed'],
    ['more than 64 KiB', { body: directoryOf(okp()) + ' '.repeat(64 * 1024) }, 'directory_unreachable'],
  ])('is a fault, kept briefly, if the answer is %s', async (_what, bad, fault) => {
    answer = () => bad;
    expect(await directory.keysOf('acme.test')).toMatchObject({ fault });
    now += keyDirectoryLimits.faultKeptMs - 1;
    answer = () => ({ body: directoryOf(okp()) });
    expect(await directory.keysOf('acme.test')).toMatchObject({ fault });
    now += 1;
    expect(await directory.keysOf('acme.test')).toHaveProperty('keys');
  });

  it('is a fault if the address is not allowed', async () => {
    const closed = createSafeFetch({ allow: '' });
    const unreachable = createKeyDirectory({
      safeFetch: closed,
      bases: new Map([['acme.test', base]]),
      now: () => now,
    });
    expect(await unreachable.keysOf('acme.test')).toMatchObject({
      fault: 'directory_unreachable',
      detail: 'not_allowed private_address',
    });
    expect(asked).toEqual([]);
    await closed.close();
  });

  it('is kept for a limited number of domains, and made to a limited number at a time', async () => {
    const never = Object.assign(() => new Promise<never>(() => {}), { close: async () => {} });
    const busy = createKeyDirectory({ safeFetch: never, bases: new Map() });
    for (let domain = 0; domain < keyDirectoryLimits.fetchesMax; domain += 1) void busy.keysOf(`d${domain}.test`);
    await expect(busy.keysOf('one-more.test')).rejects.toMatchObject({ code: 'overloaded' });
    void busy.keysOf('d0.test');

    let fetches = 0;
    const refusing = Object.assign(
      () => {
        fetches += 1;
        return Promise.resolve({ status: 500, headers: {}, body: { cancel: () => {} } as never });
      },
      { close: async () => {} },
    );
    const many = createKeyDirectory({ safeFetch: refusing, bases: new Map(), now: () => now });
    for (let domain = 0; domain <= keyDirectoryLimits.domainsMax; domain += 1) await many.keysOf(`d${domain}.test`);
    await many.keysOf(`d${keyDirectoryLimits.domainsMax}.test`);
    expect(fetches).toBe(keyDirectoryLimits.domainsMax + 1);
    await many.keysOf('d0.test');
    expect(fetches).toBe(keyDirectoryLimits.domainsMax + 2);
  });
});

describe('KEY_DIRECTORY_BASE', () => {
  const read = (value: string): unknown => readConfig(z.object({ BASE: directoryBases() }), { BASE: value }).BASE;

  it('maps domains, in normal form, to addresses', () => {
    expect(read(' Acme.Test.=http://127.0.0.1:9000/ , b\u00fccher.example=https://keys.example/of/b')).toEqual(
      new Map([
        ['acme.test', 'http://127.0.0.1:9000'],
        ['xn--bcher-kva.example', 'https://keys.example/of/b'],
      ]),
    );
  });

  it.each([
    'acme.test',
    'acme.test=',
    '=http://a',
    'acme.test=ftp://a',
    'acme.test=http://a?b',
    'acme.test=http://u@a',
    'acme.test=http://a,',
    'local=http://a',
  ])('%s is refused', (value) => {
    expect(() => read(value)).toThrow(/BASE must be domain=URL/u);
  });
});
