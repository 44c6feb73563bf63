import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader } from './header-codec.ts';
import { redactDemand } from './redact-demand.ts';
import { createRedaction } from './redaction.ts';
import { x402Limits } from './limits.ts';
import { restorePaymentHeaders } from './payment.ts';

const host = 'agent-7.internal.test';
const endpoint = `http://${host}:8443/deep/path?token=t`;
const base = 'https://registry.example/pay/an-agent';
const address = { base, url: `${base}?call_ref=c` };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Notations in which an agent may write its address. */
const naming = fc.constantFrom(
  endpoint,
  host,
  `see HTTP://${host.toUpperCase()}:8443/docs, please`,
  'port :8443 of the same machine',
  encodeURIComponent(endpoint),
  host
    .split('')
    .map((char) => `%${char.charCodeAt(0).toString(16)}`)
    .join(''),
  Buffer.from(endpoint).toString('base64'),
  Buffer.from(encodeURIComponent(endpoint)).toString('base64url'),
);
const harmless = fc.oneof(
  fc.string(),
  fc.constantFrom(base, address.url, `${base}#2`, `${base}#0`, 'https://elsewhere.example/'),
);
const anyText = fc.oneof({ weight: 1, arbitrary: naming }, { weight: 2, arbitrary: harmless });
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
}));
const demands = fc.record(
  {
    x402Version: fc.constantFrom(1, 2),
    resource: fc.oneof(anyText, fc.record({ url: anyText })),
    accepts: fc.array(fc.record({ resource: anyText, payTo: anyText, extra: anyJson }), { maxLength: 3 }),
    extensions: anyJson,
  },
  { requiredKeys: [] },
);
/** Every readable form of a text: itself, and its decoded escapes and base64. */
const everythingIn = (json: string): string => {
  const texts: string[] = [json];
  JSON.parse(json, (key, value: unknown) => {
    for (const text of [key, value]) {
      if (typeof text !== 'string') continue;
      const unescaped = text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      texts.push(text, unescaped, ...[text, unescaped].map((coded) => Buffer.from(coded, 'base64').toString()));
    }
    return value;
  });
  return texts.join('\n').toLowerCase();
};

describe('a redacted demand', () => {
  it('names neither host nor port of the agent, in any notation, in body and header', () => {
    fc.assert(
      fc.property(demands, demands, (inBody, inHeader) => {
        const headers = { 'payment-required': encodeHeader(inHeader) };
        const shown = redactDemand({ headers, body: utf8(JSON.stringify(inBody)) }, createRedaction(endpoint, address));
        const header = JSON.stringify(decodeHeader(shown.headers['payment-required'] ?? ''));
        for (const seen of [everythingIn(textOf(shown.body)), everythingIn(header)]) {
          expect(seen).not.toContain(host);
          expect(seen).not.toMatch(/:8443(?!\d)/u);
        }
      }),
    );
  });

  it('is restored for the agent, in any payment that repeats it', () => {
    fc.assert(
      fc.property(demands, (demand) => {
        const redaction = createRedaction(endpoint, address);
        const shown = redaction.redact(JSON.parse(JSON.stringify(demand)));
        const payment = { 'payment-signature': encodeHeader({ x402Version: 2, repeated: shown }) };
        const restored = restorePaymentHeaders(payment, base, redaction.originals());
        expect(decodeHeader(restored['payment-signature'] ?? '')).toEqual({
          x402Version: 2,
          repeated: JSON.parse(JSON.stringify(demand)),
        });
      }),
    );
  });

  it("has the pay address as its resource, with the payer's query", () => {
    const redaction = createRedaction(endpoint, address);
    const redact = (value: unknown): unknown => createRedaction(endpoint, address).redact(value);
    expect(redact({ accepts: [{ resource: endpoint }, { resource: endpoint }] })).toEqual({
      accepts: [{ resource: address.url }, { resource: address.url }],
    });
    expect(redact({ resource: { url: endpoint, description: 'A forecast' } })).toEqual({
      resource: { url: address.url, description: 'A forecast' },
    });
    // A name of the agent that differs from its endpoint's.
    expect(
      redaction.redact({ error: 'pay for http://public.test/x', resource: { url: 'http://public.test/x' } }),
    ).toEqual({
      error: `${address.url}#2`,
      resource: { url: address.url },
    });
    expect(redaction.originals()).toEqual(['http://public.test/x', 'pay for http://public.test/x']);
  });

  it('passes byte for byte if it contains no address', () => {
    const body = utf8('{"accepts": [ ], "note":"\\u0041", "big":123456789012345678901234567890}');
    const header = encodeHeader({ accepts: [] });
    const shown = redactDemand({ headers: { 'payment-required': header }, body }, createRedaction(endpoint, address));
    expect(shown.body).toBe(body);
    expect(shown.headers['payment-required']).toBe(header);
  });

  it('is dropped if it is unreadable, and kept if it is harmless text', () => {
    const shownBody = (body: Uint8Array, headers: Record<string, string> = {}): string =>
      textOf(redactDemand({ headers, body }, createRedaction(endpoint, address)).body);
    expect(shownBody(utf8('<p>Please pay</p>'))).toBe('<p>Please pay</p>');
    expect(shownBody(utf8(`<p>Please pay at ${host}</p>`))).toBe('');
    expect(shownBody(utf8('{"accepts":[]}'), { 'content-encoding': 'gzip' })).toBe('');
    expect(shownBody(Uint8Array.of(0xff, 0xfe, 0x61, 0x00))).toBe('');
    const nested = '['.repeat(x402Limits.depthMax + 2) + ']'.repeat(x402Limits.depthMax + 2);
    expect(shownBody(utf8(nested))).toBe('');
    const unreadable = { 'payment-required': 'not base64!', 'payment-response': 'e30' };
    expect(
      redactDemand({ headers: unreadable, body: new Uint8Array() }, createRedaction(endpoint, address)).headers,
    ).toEqual({
      'payment-response': 'e30',
    });
  });

  it('hides a host in another notation of the same address', () => {
    const redaction = createRedaction('http://127.0.0.1:4000/', address);
    redaction.redact(null);
    expect(redaction.isNamedIn('http://2130706433/')).toBe(true);
    expect(redaction.isNamedIn('http://0x7f.1/')).toBe(true);
    expect(redaction.isNamedIn('at :4000 there')).toBe(true);
    expect(redaction.isNamedIn('40001 and 12:40001')).toBe(false);
    expect(redaction.isNamedIn('http://127.0.0.2/')).toBe(false);
  });

  it('hides numbers that are the host or the port, and no others', () => {
    const redaction = createRedaction('http://127.0.0.1:4000/', address);
    const shown = redaction.redact({
      a: { ip: 2_130_706_433, port: 4000, serverPort: '4000' },
      amount: 4000,
      port: 80,
    });
    expect(shown).toEqual({
      a: { ip: `${address.url}#0`, port: `${address.url}#0`, serverPort: address.url },
      amount: 4000,
      port: 80,
    });
  });

  it('hides an address in base64 in the middle of a text', () => {
    const redaction = createRedaction(endpoint, address);
    for (const alphabet of ['base64', 'base64url'] as const) {
      const token = Buffer.from(`at ${endpoint}??>>`).toString(alphabet);
      expect(redaction.isNamedIn(`the reference is "${token}", see there`)).toBe(true);
      expect(redaction.isNamedIn(`https://elsewhere.example/r/${token}`)).toBe(true);
    }
    expect(redaction.isNamedIn('the reference is YWJjZGVmZ2hpamtsbW5vcA==')).toBe(false);
  });

  it('recognises a host without a dot only as part of an address', () => {
    const redaction = createRedaction('http://agent:4000/', address);
    for (const text of ['http://agent/', 'see agent:4000', 'ftp://user@agent', 'x//AGENT:1']) {
      expect([text, redaction.isNamedIn(text)]).toEqual([text, true]);
    }
    for (const text of ['the agent', 'an agent: good', 'http://agent-2/', 'my-agent:5']) {
      expect([text, redaction.isNamedIn(text)]).toEqual([text, false]);
    }
  });

  it('restores no more texts than the limit', () => {
    const texts = Array.from({ length: x402Limits.originalsMax + 5 }, (_, index) => `${host}/${index}`);
    const redaction = createRedaction(endpoint, address);
    const shown = redaction.redact(texts) as string[];
    expect(shown.at(-1)).toBe(`${address.url}#0`);
    expect(redaction.originals()).toHaveLength(x402Limits.originalsMax);
  });
});

it('passes an unreadable payment, or one that repeats nothing, unchanged', () => {
  const readable = encodeHeader({ x402Version: 1, payload: { signature: '0x1' } });
  const headers = { 'x-payment': readable, 'payment-signature': 'opaque!', accept: base };
  expect(restorePaymentHeaders(headers, base, [endpoint])).toEqual(headers);
});

it('shows nothing of a body that is larger than any demand, and does not parse it', () => {
  const redaction = createRedaction(endpoint, address);
  const demand = (padding: number): Uint8Array =>
    utf8(
      JSON.stringify({ x402Version: 1, accepts: [{ scheme: 'exact', resource: endpoint }], note: 'x'.repeat(padding) }),
    );
  expect(redactDemand({ headers: {}, body: demand(x402Limits.bodyBytesMax) }, redaction)).toMatchObject({
    body: new Uint8Array(),
    requirements: [],
  });
  const shown = redactDemand({ headers: {}, body: demand(x402Limits.bodyBytesMax - 1_000) }, redaction);
  expect(textOf(shown.body)).toContain(address.url);
});

describe('a page that is longer than any demand', () => {
  const scripts = `<script>${'const a={b:1,c:"x/y"};'.repeat(160_000)}</script>`;
  const shownOf = (page: string): string =>
    textOf(redactDemand({ headers: {}, body: utf8(page) }, createRedaction(endpoint, address)).body);

  it.each([
    ['in plain text', (url: string) => `window.x402={"currentUrl":"${url}/x?y=1"}`],
    ['in the escapes of JSON', (url: string) => `{"currentUrl":"${url.replaceAll('/', '\\/')}\\/x"}`],
    ['in those of URLs', (url: string) => `<a href="/buy?of=${encodeURIComponent(url)}">`],
  ])('shows the pay address where the agent is named %s', (_what, text) => {
    const page = `<html>${text(endpoint)}${scripts}</html>`;
    const shown = shownOf(page);
    expect(shown).toContain(address.url);
    expect(shown).not.toContain(new URL(endpoint).host);
    expect(shown.length).toBeGreaterThan(scripts.length);
  });

  it('is passed on as it is if it names nobody', () => {
    expect(shownOf(`<html>${scripts}</html>`)).toBe(`<html>${scripts}</html>`);
  });

  it('is not shown if it names the agent in another way, or is longer than any page', () => {
    expect(shownOf(`<html>${new URL(endpoint).hostname}${scripts}</html>`)).toBe('');
    expect(shownOf(`<html>${'x'.repeat(x402Limits.pageBytesMax)}</html>`)).toBe('');
  });
});
