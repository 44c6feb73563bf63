import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { componentNamed } from './components/identifier.ts';
import { contentDigestHeader, ensureContentDigest } from './content-digest.ts';
import { signatureFault } from './ed25519/ed25519.ts';
import type { SignableRequest } from './request.ts';
import { signatureBase } from './signature-base.ts';
import { signatureParameters, signRequest } from './sign-request.ts';
import { type BareItem, string } from './structured-fields/types.ts';

const flag: BareItem = { type: 'boolean', value: true };
const valueOf = (request: SignableRequest, name: string, parameters: Record<string, BareItem> = {}): string => {
  const component = componentNamed(name, new Map(Object.entries(parameters)));
  const base = signatureBase(request, { components: [component], parameters: new Map() });
  return base.slice(component.text.length + 2, base.lastIndexOf('\n'));
};
const requestTo = (requestTarget: string, headers: SignableRequest['headers'] = []): SignableRequest => ({
  method: 'GET',
  scheme: 'https',
  authority: 'www.example.com',
  requestTarget,
  headers,
});

/** RFC 9421 appendix B.2, "test-request", and the key of B.1.4. */
const testRequest: SignableRequest = {
  method: 'POST',
  scheme: 'https',
  authority: 'example.com',
  requestTarget: '/foo?param=Value&Pet=dog',
  headers: [
    ['Host', 'example.com'],
    ['Date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
    ['Content-Type', 'application/json'],
    [
      'Content-Digest',
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    ],
    ['Content-Length', '18'],
  ],
};
const testKey = {
  public: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  secret: Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url'),
};

describe('RFC 9421 B.2.6, a request signed with ed25519', () => {
  const components = ['date', '@method', '@path', '@authority', 'content-type', 'content-length'];
  const parameters = signatureParameters({ createdSeconds: 1_618_884_473, keyId: 'test-key-ed25519' });
  const published = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  ].join('\n');

  it('has the published base', () => {
    const covered = components.map((name) => componentNamed(name));
    expect(signatureBase(testRequest, { components: covered, parameters })).toBe(base);
  });

  it('is produced as published', async () => {
    const options = { secretKey: testKey.secret, label: 'sig-b26', components, parameters };
    expect(await signRequest(testRequest, options)).toEqual({
      'signature-input': `sig-b26=${base.slice(base.lastIndexOf('("date"'))}`,
      signature: `sig-b26=:${published}:`,
    });
  });

  it('is accepted as published, and with no other key or base', async () => {
    const signature = Buffer.from(published, 'base64');
    expect(await signatureFault(signature, Buffer.from(base), testKey.public)).toBeNull();
    const otherKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    expect(await signatureFault(signature, Buffer.from(base), otherKey)).toBe('signature_mismatch');
    expect(await signatureFault(signature, Buffer.from(`${base} `), testKey.public)).toBe('signature_mismatch');
  });
});

describe('derived components (RFC 9421 §2.2)', () => {
  const request = { ...requestTo('/path?param=value'), method: 'POST' };

  it.each([
    ['@method', 'POST'],
    ['@target-uri', 'https://www.example.com/path?param=value'],
    ['@authority', 'www.example.com'],
    ['@scheme', 'https'],
    ['@request-target', '/path?param=value'],
    ['@path', '/path'],
    ['@query', '?param=value'],
  ])('%s is %s', (name, value) => {
    expect(valueOf(request, name)).toBe(value);
  });

  it('the authority is in lower case and without the default port', () => {
    const authorityOf = (scheme: string, authority: string): string =>
      valueOf({ ...request, scheme, authority }, '@authority');
    expect(authorityOf('https', 'WWW.Example.com:443')).toBe('www.example.com');
    expect(authorityOf('http', 'example.com:80')).toBe('example.com');
    expect(authorityOf('http', 'example.com:')).toBe('example.com');
    expect(authorityOf('http', 'example.com:443')).toBe('example.com:443');
    expect(authorityOf('http', '[::1]:8080')).toBe('[::1]:8080');
    expect(authorityOf('http', '[::1]')).toBe('[::1]');
  });

  it('the absolute form of a target contains scheme and authority itself', () => {
    const absolute = {
      ...request,
      scheme: 'http',
      authority: 'proxy',
      requestTarget: 'HTTPS://WWW.example.com:443?a=1',
    };
    expect(valueOf(absolute, '@target-uri')).toBe('https://www.example.com/?a=1');
    expect(valueOf(absolute, '@path')).toBe('/');
    expect(valueOf(absolute, '@request-target')).toBe('HTTPS://WWW.example.com:443?a=1');
  });

  it('path and query are not decoded, and an absent or empty query is ?', () => {
    expect(valueOf(requestTo('/a%2Fb/../c?x=%41?y'), '@path')).toBe('/a%2Fb/../c');
    expect(valueOf(requestTo('/a%2Fb?x=%41?y'), '@query')).toBe('?x=%41?y');
    expect(valueOf(requestTo('/path'), '@query')).toBe('?');
    expect(valueOf(requestTo('/path?'), '@query')).toBe('?');
    expect(valueOf(requestTo('/path?queryString'), '@query')).toBe('?queryString');
  });

  it.each([['*'], ['www.example.com:80'], ['']])('a target %j has no path', (target) => {
    expect(() => valueOf(requestTo(target), '@path')).toThrow(/no path/);
  });

  it('@query-param is decoded and encoded again (§2.2.8)', () => {
    const parameter = (query: string, name: string): string =>
      valueOf(requestTo(`/parameters?${query}`), '@query-param', { name: string(name) });
    const published =
      'var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something';
    expect(parameter(published, 'var')).toBe('this%20is%20a%20big%0Amultiline%20value');
    expect(parameter(published, 'bar')).toBe('with%20plus%20whitespace');
    expect(parameter(published, 'fa%C3%A7ade%22%3A%20')).toBe('something');
    expect(parameter('param=value&foo=bar&baz=batman&qux=', 'qux')).toBe('');
    expect(parameter("a=!'()~*", 'a')).toBe('%21%27%28%29%7E*');
    expect(() => parameter('a=1&a=2', 'a')).toThrow(/form/);
    expect(() => parameter('a=1', 'b')).toThrow(/not in the request/);
    expect(() => valueOf(requestTo('/?a=1'), '@query-param')).toThrow(/not one that a request/);
    expect(() => valueOf(requestTo('/?a=1'), '@query-param', { name: { type: 'token', value: 'a' } })).toThrow(
      /not one/,
    );
  });

  it.each([['@status'], ['@signature-params'], ['@unknown'], ['@']])('%s is refused', (name) => {
    expect(() => valueOf(request, name)).toThrow(/not one that a request/);
  });

  it('a derived component with a parameter is refused', () => {
    expect(() => valueOf(request, '@method', { req: flag })).toThrow(/not one that a request/);
    expect(() => valueOf(request, '@path', { x: flag })).toThrow(/not one that a request/);
  });
});

describe('fields (RFC 9421 §2.1)', () => {
  const request = requestTo('/', [
    ['Host', 'www.example.com'],
    ['Date', 'Tue, 20 Apr 2021 02:07:56 GMT'],
    ['X-OWS-Header', '  Leading and trailing whitespace.   '],
    ['X-Obs-Fold-Header', 'Obsolete\r\n    line folding.'],
    ['Cache-Control', 'max-age=60'],
    ['Cache-Control', '   must-revalidate'],
    ['Example-Dict', '  a=1,    b=2;x=1;y=2,   c=(a   b   c)'],
    ['X-Empty-Header', ''],
    ['Priority', ' u=1,   i'],
    ['X-Latin', 'caf\u00e9'],
  ]);

  it.each([
    ['host', 'www.example.com'],
    ['date', 'Tue, 20 Apr 2021 02:07:56 GMT'],
    ['x-ows-header', 'Leading and trailing whitespace.'],
    ['x-obs-fold-header', 'Obsolete line folding.'],
    ['cache-control', 'max-age=60, must-revalidate'],
    ['example-dict', 'a=1,    b=2;x=1;y=2,   c=(a   b   c)'],
    ['x-empty-header', ''],
  ])('%s', (name, value) => {
    expect(valueOf(request, name)).toBe(value);
  });

  it('members of a dictionary (§2.1.2)', () => {
    const member = (key: string): string => valueOf(request, 'example-dict', { key: string(key) });
    expect([member('a'), member('b'), member('c')]).toEqual(['1', '2;x=1;y=2', '(a b c)']);
    expect(() => member('d')).toThrow(/not in the request/);
    expect(() => valueOf(request, 'date', { key: string('a') })).toThrow(/form/);
    expect(() => valueOf(request, 'example-dict', { key: flag })).toThrow(/not one/);
  });

  it('strict serialization, if the structure is known (§2.1.1)', () => {
    expect(valueOf(request, 'priority', { sf: flag })).toBe('u=1, i');
    expect(valueOf(request, 'priority', { key: string('i') })).toBe('?1');
    expect(() => valueOf(request, 'example-dict', { sf: flag })).toThrow(/not one/);
    expect(() => valueOf(requestTo('/', [['Priority', 'u=1,,']]), 'priority', { sf: flag })).toThrow(/form/);
    expect(() => valueOf(requestTo('/', [['Priority', 'i, u=1, u=2']]), 'priority', { key: string('i') })).toThrow(
      /form/,
    );
  });

  it('as octets, line by line (§2.1.3)', () => {
    const lines = requestTo('/', [
      ['Example-Header', 'value, with, lots'],
      ['Example-Header', 'of, commas'],
    ]);
    const together = requestTo('/', [['Example-Header', 'value, with, lots, of, commas']]);
    expect(valueOf(lines, 'example-header', { bs: flag })).toBe(':dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:');
    expect(valueOf(together, 'example-header', { bs: flag })).toBe(':dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:');
    expect(valueOf(request, 'x-latin', { bs: flag })).toBe(':Y2Fm6Q==:');
    expect(() => valueOf(request, 'x-latin')).toThrow(/ASCII/);
  });

  it.each<[string, Record<string, BareItem>]>([
    ['example-dict', { bs: flag, sf: flag }],
    ['example-dict', { bs: flag, key: string('a') }],
    ['date', { req: flag }],
    ['date', { tr: flag }],
    ['date', { unknown: flag }],
    ['date', { bs: { type: 'boolean', value: false } }],
    ['Date', {}],
    ['x y', {}],
    ['', {}],
  ])('%s with %j is refused', (name, parameters) => {
    expect(() => valueOf(request, name, parameters)).toThrow(/not one that a request/);
  });

  it('a missing field is refused', () => {
    expect(() => valueOf(request, 'x-none')).toThrow(/not in the request/);
  });
});

describe('Content-Digest (RFC 9530)', () => {
  const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
  const check =
    (value: string | null, body = '{"hello": "world"}\n') =>
    () =>
      ensureContentDigest(requestTo('/', value === null ? [] : [['Content-Digest', value]]), sha256(body));

  it('is produced and accepted as published (appendix B.1, D)', () => {
    const published = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
    expect(contentDigestHeader(sha256('{"hello": "world"}\n'))).toBe(published);
    expect(check(published)).not.toThrow();
    expect(check('sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:', '{"hello": "world"}')).not.toThrow();
    expect(check(`md5=:AAAA:, unixsum=30637, ${published};x=1`)).not.toThrow();
  });

  it.each([
    [null, 'required'],
    ['sha-512=:AAAA:', 'must have sha-256'],
    ['', 'must have sha-256'],
    ['sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDh=:', 'not a dictionary'],
    ['sha-256=:AAAA:', 'not the digest'],
    ['sha-256=::', 'not the digest'],
    ['sha-256="RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="', 'not a dictionary'],
    ['sha-256=(:AAAA:)', 'not a dictionary'],
    ['sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:,', 'not a dictionary'],
    ['SHA-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:', 'not a dictionary'],
    ['sha-256=:AAAA:, sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:', 'not a dictionary'],
    [`sha-256=:${'A'.repeat(4_000)}:`, 'too long'],
  ])('%.80s is refused', (value, why) => {
    expect(check(value)).toThrow(new RegExp(why));
  });

  it('of another body is refused', () => {
    expect(check('sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:', '{"hello": "world"}')).toThrow(
      /not the digest/,
    );
  });
});
