import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { contentDigestHeader } from './content-digest.ts';
import { readSignature, type SignaturePolicy, type SignatureReading, verifySignature } from './read-signature.ts';
import type { SignableRequest } from './request.ts';
import { signatureParameters, signRequest } from './sign-request.ts';
import { type BareItem, integer, string } from './structured-fields/types.ts';
import { clientKey, publicSigners } from './testing/index.ts';

// Making and checking hundreds of signatures takes long on a busy processor.
vi.setConfig({ testTimeout: 60_000 });

const policy: SignaturePolicy = {
  label: 'sig1',
  requiredComponents: ['@method', '@path', 'content-digest'],
  skewSeconds: 300,
};
const now = 1_700_000_000;
const key = await clientKey('agent-1', new Uint8Array(32).fill(7));
const sha256 = (body: string | Uint8Array): Buffer => createHash('sha256').update(body).digest();
const body = '{"agent_id":"agent-1"}';

const unsigned = (over: Partial<SignableRequest> = {}, content = body): SignableRequest => ({
  method: 'POST',
  scheme: 'http',
  authority: 'registry.test',
  requestTarget: '/rotate',
  headers: [
    ['Host', 'registry.test'],
    ['Content-Digest', contentDigestHeader(sha256(content))],
  ],
  ...over,
});
const withHeaders = (request: SignableRequest, headers: Record<string, string | null>): SignableRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => headers[name.toLowerCase()] === undefined),
    ...Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  ],
});
const defaults = signatureParameters({ createdSeconds: now, keyId: 'agent-1', nonce: 'n-1' });
const without = (name: string): Map<string, BareItem> => new Map([...defaults].filter(([key]) => key !== name));
const signed = async (
  options: {
    components?: string[];
    parameters?: Map<string, BareItem>;
    label?: string;
    request?: SignableRequest;
  } = {},
): Promise<SignableRequest> => {
  const request = options.request ?? unsigned();
  const headers = await signRequest(request, {
    secretKey: key.seed,
    label: options.label ?? 'sig1',
    components: options.components ?? ['@method', '@path', 'content-digest'],
    parameters: options.parameters ?? defaults,
  });
  return withHeaders(request, headers);
};
const read = (request: SignableRequest, at = now, content: string | Uint8Array = body): SignatureReading =>
  readSignature(request, { policy, nowSeconds: at, bodySha256: sha256(content) });
/** `accepted`, `unsigned`, or the reason. */
const verdict = async (request: SignableRequest, at = now, content: string | Uint8Array = body): Promise<string> => {
  const reading = read(request, at, content);
  if (reading.kind === 'refused') return reading.reason;
  if (reading.kind === 'unsigned') return 'unsigned';
  return (await verifySignature(reading.signature, key.publicKey)) ?? 'accepted';
};

describe('a signed request', () => {
  it('is read and accepted', async () => {
    const reading = read(await signed());
    expect(reading).toMatchObject({ kind: 'read', signature: { keyId: 'agent-1', nonce: 'n-1', createdSeconds: now } });
    expect(await verdict(await signed())).toBe('accepted');
  });

  it('may cover more components, in any order, with parameters of any name in any order', async () => {
    const parameters = new Map<string, BareItem>([
      ['x-unknown', { type: 'decimal', thousandths: 1_000 }],
      ['nonce', string('n')],
      ['tag', string('anything')],
      ['keyid', string('agent-1')],
      ['alg', string('ed25519')],
      ['flag', { type: 'boolean', value: true }],
      ['created', integer(now)],
    ]);
    const components = ['host', 'content-digest', '@query', '@authority', '@path', '@target-uri', '@method', '@scheme'];
    expect(await verdict(await signed({ components, parameters }))).toBe('accepted');
  });

  it('is accepted with any spacing of its headers, because the base is rebuilt', async () => {
    const request = await signed();
    const input = request.headers.find(([name]) => name === 'signature-input')?.[1] ?? '';
    const spaced = input.replaceAll(' ', '   ').replaceAll(';', ';  ').replace('(', '(  ');
    expect(await verdict(withHeaders(request, { 'signature-input': `  ${spaced}  ` }))).toBe('accepted');
  });

  it('is refused if a number has another type than the signed one', async () => {
    const request = await signed({ parameters: new Map([...defaults, ['x', integer(1)]]) });
    const input = request.headers.find(([name]) => name === 'signature-input')?.[1] ?? '';
    expect(await verdict(withHeaders(request, { 'signature-input': input.replace(';x=1', ';x=1.0') }))).toBe(
      'signature_mismatch',
    );
  });

  it('may have other labels besides its own', async () => {
    const request = await signed();
    const [input = '', signature = ''] = ['signature-input', 'signature'].map(
      (wanted) => request.headers.find(([name]) => name === wanted)?.[1],
    );
    const both = withHeaders(request, {
      'signature-input': `proxy=("@status";req);created=1, ${input}, x=1`,
      signature: `x=?0, ${signature}, proxy=:AAAA:`,
    });
    expect(await verdict(both)).toBe('accepted');
    // On separate lines.
    const lines = [...request.headers, ['signature-input', 'proxy=()'], ['Signature', 'proxy=:AAAA:']] as const;
    expect(await verdict({ ...request, headers: lines })).toBe('accepted');
  });
});

describe('an unsigned request', () => {
  it("has none of the headers, or the registry's label in neither of them", async () => {
    expect(await verdict(unsigned())).toBe('unsigned');
    expect(await verdict(await signed({ label: 'sig2' }))).toBe('unsigned');
    expect(await verdict(withHeaders(unsigned(), { 'signature-input': '', signature: '' }))).toBe('unsigned');
  });
});

describe('other signatures', () => {
  const proof = `${'A'.repeat(86)}==`;
  it.each<[string, Record<string, string>]>([
    [
      'an older draft',
      { signature: 'keyId="agent-1",algorithm="ed25519",headers="(request-target)",signature="AAAA"' },
    ],
    ['a signature without its input', { signature: `sig2=:${proof}:` }],
    ['an input without its signature', { 'signature-input': 'sig2=("@method");created=1' }],
    [
      'a parameter in upper case',
      { 'signature-input': 'sig2=("@method");created=1;Tag="x"', signature: `sig2=:${proof}:` },
    ],
    ['a label twice', { 'signature-input': 'a=(), a=()', signature: `a=:${proof}:, a=:${proof}:` }],
    [
      'labels that only begin or end like ours',
      { 'signature-input': 'sig10=(, xsig1=(, sig1-x=(', signature: 'sig1.=(' },
    ],
    ['a huge header', { 'signature-input': `sig2=("${'x'.repeat(10_000)}")`, signature: `sig2=:${proof}:` }],
  ])('%s: the request is not signed', async (_what, headers) => {
    expect(await verdict(withHeaders(unsigned(), headers))).toBe('unsigned');
  });

  it.each<[string, Record<string, string>, string]>([
    ['in one header', { signature: `sig1=:${proof}:` }, 'header_missing'],
    ['in the other header', { 'signature-input': 'sig1=("@method")' }, 'header_missing'],
    ['after something odd', { 'signature-input': 'a=(), A, sig1=()', signature: 'a=::' }, 'malformed_signature_input'],
    ['before something odd', { 'signature-input': 'a=()', signature: 'sig1=::, "x' }, 'malformed_signature'],
    ['after a quote', { 'signature-input': 'a="x, sig1=()', signature: 'a=::' }, 'malformed_signature_input'],
    ['in upper case', { 'signature-input': 'SIG1=()', signature: 'SIG1=::' }, 'malformed_signature_input'],
    ['after a control', { 'signature-input': '\u0000sig1=()', signature: 'a=::' }, 'malformed_signature_input'],
    ['beside a label twice', { 'signature-input': 'a=(), a=(), sig1=()', signature: 'a=::' }, 'duplicate_label'],
  ])('with a label that may be ours %s, the request is refused', async (_where, headers, reason) => {
    expect(await verdict(withHeaders(unsigned(), headers))).toBe(reason);
  });

  it('our label inside other texts means nothing if the headers are valid', async () => {
    const headers = { 'signature-input': 'sig2=("sig1");tag="sig1"', signature: `sig2=:${proof}:` };
    expect(await verdict(withHeaders(unsigned(), headers))).toBe('unsigned');
  });
});

describe('time', () => {
  it.each([
    [now - 300, 'accepted'],
    [now - 301, 'created_too_old'],
    [now + 300, 'accepted'],
    [now + 301, 'created_in_future'],
    [-1, 'created_too_old'],
    [999_999_999_999_999, 'created_in_future'],
  ])('created %i is %s', async (created, expected) => {
    expect(await verdict(await signed({ parameters: new Map([...defaults, ['created', integer(created)]]) }))).toBe(
      expected,
    );
  });

  it.each([
    [now, 'accepted'],
    [now - 1, 'expired'],
    [now + 1_000_000, 'accepted'],
  ])('expires %i is %s', async (expires, expected) => {
    expect(await verdict(await signed({ parameters: new Map([...defaults, ['expires', integer(expires)]]) }))).toBe(
      expected,
    );
  });

  it('expires does not extend the window of created', async () => {
    const parameters = new Map([...defaults, ['expires', integer(now + 1_000_000)] as const]);
    expect(await verdict(await signed({ parameters }), now + 301)).toBe('created_too_old');
  });
});

describe('parameters', () => {
  const display = (value: string): BareItem => ({ type: 'display', value });
  it.each<[string, BareItem | null, string]>([
    ['alg', null, 'accepted'],
    ['alg', string('ed25519'), 'accepted'],
    ['alg', string('Ed25519'), 'alg_unsupported'],
    ['alg', string('hmac-sha256'), 'alg_unsupported'],
    ['alg', { type: 'token', value: 'ed25519' }, 'alg_unsupported'],
    ['created', null, 'created_missing'],
    ['created', string(String(now)), 'created_not_integer'],
    ['created', { type: 'decimal', thousandths: now * 1_000 }, 'created_not_integer'],
    ['created', { type: 'date', seconds: now }, 'created_not_integer'],
    ['created', { type: 'boolean', value: true }, 'created_not_integer'],
    ['expires', string('x'), 'expires_not_integer'],
    ['expires', { type: 'decimal', thousandths: now * 1_000 + 5_000 }, 'expires_not_integer'],
    ['nonce', null, 'nonce_missing'],
    ['nonce', integer(1), 'nonce_invalid'],
    ['nonce', { type: 'token', value: 'n' }, 'nonce_invalid'],
    ['nonce', { type: 'bytes', value: new Uint8Array(8) }, 'nonce_invalid'],
    ['nonce', string(''), 'nonce_invalid'],
    ['nonce', string('n'.repeat(256)), 'accepted'],
    ['nonce', string('n'.repeat(257)), 'nonce_invalid'],
    ['keyid', null, 'keyid_missing'],
    ['keyid', integer(1), 'keyid_invalid'],
    ['keyid', { type: 'token', value: 'agent-1' }, 'keyid_invalid'],
    ['keyid', string(''), 'keyid_invalid'],
    ['keyid', string('k'.repeat(128)), 'accepted'],
    ['keyid', string('k'.repeat(129)), 'keyid_invalid'],
    ['keyid', display('café'), 'accepted'],
    ['keyid', display('🤖'.repeat(128)), 'accepted'],
    ['keyid', display('🤖'.repeat(129)), 'keyid_invalid'],
    ['keyid', display('ascii'), 'keyid_invalid'],
    ['keyid', display('é\u0000'), 'keyid_invalid'],
  ])('%s = %j is %s', async (name, value, expected) => {
    const parameters = value === null ? without(name) : new Map([...defaults, [name, value]]);
    expect(await verdict(await signed({ parameters }))).toBe(expected);
  });

  it('a display string names an id beyond ASCII', async () => {
    const parameters = signatureParameters({ createdSeconds: now, keyId: 'café "1"', nonce: 'n' });
    const request = await signed({ parameters });
    expect(request.headers.find(([name]) => name === 'signature-input')?.[1]).toContain(';keyid=%"caf%c3%a9 %221%22"');
    expect(read(request)).toMatchObject({ signature: { keyId: 'café "1"' } });
  });
});

describe('the covered components', () => {
  it.each([['@method'], ['@path'], ['content-digest']])('%s must be covered', async (name) => {
    const components = policy.requiredComponents.filter((component) => component !== name);
    expect(await verdict(await signed({ components }))).toBe('component_not_covered');
  });

  it('include each required one as a whole, not in part', async () => {
    const request = withHeaders(await signed(), {
      'signature-input': `sig1=("@method" "@path" "content-digest";key="sha-512");created=${now};keyid="a";nonce="n"`,
    });
    expect(read(request)).toEqual({ kind: 'refused', reason: 'component_not_covered', subject: 'content-digest' });
  });

  it.each([
    ['("@method" "@path" "content-digest" "@path")', 'duplicate_component'],
    ['("@method" "@path" "content-digest" "content-digest")', 'duplicate_component'],
    [
      '("@method" "@path" "content-digest" "content-digest";sf;key="sha-256" "content-digest";key="sha-256";sf)',
      'duplicate_component',
    ],
    ['("@method" "@path" "content-digest" "x-absent")', 'component_absent'],
    ['("@method" "@path" "content-digest" "@status")', 'component_unsupported'],
    ['("@method" "@path" "content-digest" "@signature-params")', 'component_unsupported'],
    ['("@method" "@path" "content-digest" "Host")', 'component_unsupported'],
    ['("@method" "@path" "content-digest" "host";req)', 'component_unsupported'],
    ['("@method" "@path" "content-digest" "host";tr)', 'component_unsupported'],
    ['("@method";req "@method" "@path" "content-digest")', 'component_unsupported'],
    ['("@method" "@path" "content-digest" host)', 'component_not_a_string'],
    ['("@method" "@path" "content-digest" 1)', 'component_not_a_string'],
    ['()', 'component_not_covered'],
    ['"@method"', 'components_not_a_list'],
    ['?1', 'components_not_a_list'],
  ])('%s is %s', async (components, expected) => {
    const input = `sig1=${components};created=${now};keyid="agent-1";nonce="n"`;
    expect(await verdict(withHeaders(await signed(), { 'signature-input': input }))).toBe(expected);
  });

  it('are checked last, after cheaper checks', async () => {
    const absent = '("@method" "@path" "content-digest" "x-absent")';
    const withInput = async (parameters: string): Promise<SignableRequest> =>
      withHeaders(await signed(), { 'signature-input': `sig1=${absent};created=${now};${parameters}` });
    expect(await verdict(await withInput('keyid=1;nonce="n"'))).toBe('keyid_invalid');
    expect(await verdict(await withInput('keyid="a";nonce="n"'), now, `${body} `)).toBe('digest_mismatch');
    expect(await verdict(await withInput('keyid="a";nonce="n"'))).toBe('component_absent');
  });

  it('the same header in many forms is limited', async () => {
    const big = 'x'.repeat(30_000);
    const request = withHeaders(await signed(), {
      big: `a=${big}`,
      'signature-input': `sig1=("@method" "@path" "content-digest" "big" "big";bs "big";key="a");created=${now};keyid="a";nonce="n"`,
    });
    expect(await verdict(request)).toBe('signature_base_too_large');
  });
});

describe('headers with an unusual structure', () => {
  const good = `("@method" "@path" "content-digest");created=${now};keyid="agent-1";nonce="n-1"`;
  const proof = 'A'.repeat(86);
  it.each([
    ['one header alone', { signature: null }, 'header_missing'],
    ['the other alone', { 'signature-input': null }, 'header_missing'],
    ['a label twice', { 'signature-input': `sig1=${good}, sig1=${good}` }, 'duplicate_label'],
    ['a signature twice', { signature: `sig1=:${proof}==:, sig1=:${proof}==:` }, 'duplicate_label'],
    ['another label twice', { 'signature-input': `sig1=${good}, b=(), b=()` }, 'duplicate_label'],
    ['a parameter twice', { 'signature-input': `sig1=${good};created=${now}` }, 'duplicate_parameter'],
    ['a parameter of a component twice', { 'signature-input': `sig1=("a";key="x";key="x")` }, 'duplicate_parameter'],
    ['the label in one header', { signature: `sig2=:${proof}==:` }, 'label_missing'],
    ['the label in the other header', { 'signature-input': `sig2=${good}` }, 'label_missing'],
    ['a comma at the end', { 'signature-input': `sig1=${good},` }, 'malformed_signature_input'],
    ['a comma at the end of the other', { signature: `sig1=:${proof}==:,` }, 'malformed_signature'],
    ['a label in upper case', { 'signature-input': `SIG1=${good}` }, 'malformed_signature_input'],
    ['text', { 'signature-input': 'hello there' }, 'malformed_signature_input'],
    [
      'the form of a draft',
      { signature: 'keyId="agent-1",algorithm="ed25519",signature="AAAA"' },
      'malformed_signature',
    ],
    ['a signature in a string', { signature: `sig1="${proof}=="` }, 'signature_not_bytes'],
    ['a signature in a list', { signature: `sig1=(:${proof}==:)` }, 'signature_not_bytes'],
    ['base64 without padding', { signature: `sig1=:${proof}:` }, 'malformed_signature'],
    ['63 bytes', { signature: `sig1=:${'A'.repeat(84)}:` }, 'signature_length'],
    ['no bytes', { signature: 'sig1=::' }, 'signature_length'],
    ['a huge header', { 'signature-input': `sig1=${good};x="${'x'.repeat(8_192)}"` }, 'header_too_large'],
    ['a huge signature', { signature: `sig1=:${'A'.repeat(4_096)}:` }, 'header_too_large'],
    ['33 labels', { signature: Array.from({ length: 33 }, (_, n) => `l${n}=:AA==:`).join() }, 'header_too_large'],
    ['65 components', { 'signature-input': `sig1=(${'"a" '.repeat(65)})` }, 'header_too_large'],
    ['deep nesting', { 'signature-input': `sig1=${'('.repeat(4_000)}` }, 'malformed_signature_input'],
    ['characters beyond ASCII', { 'signature-input': `sig1=${good};x="\u00e9"` }, 'malformed_signature_input'],
  ])('%s', async (_what, headers: Record<string, string | null>, expected) => {
    expect(await verdict(withHeaders(await signed(), headers))).toBe(expected);
  });
});

describe('a change after signing is detected', () => {
  it('in method, path, digest, body or header', async () => {
    const components = ['@method', '@path', 'content-digest', 'x-order'];
    const request = await signed({ components, request: withHeaders(unsigned(), { 'x-order': '1' }) });
    expect(await verdict(request)).toBe('accepted');
    expect(await verdict({ ...request, method: 'PUT' })).toBe('signature_mismatch');
    expect(await verdict({ ...request, method: 'post' })).toBe('signature_mismatch');
    expect(await verdict({ ...request, requestTarget: '/rotate/' })).toBe('signature_mismatch');
    expect(await verdict({ ...request, requestTarget: '/%72otate' })).toBe('signature_mismatch');
    expect(await verdict(withHeaders(request, { 'x-order': '2' }))).toBe('signature_mismatch');
    expect(await verdict({ ...request, headers: [...request.headers, ['x-order', '2']] })).toBe('signature_mismatch');
    expect(await verdict(request, now, `${body} `)).toBe('digest_mismatch');
    const other = withHeaders(request, { 'content-digest': contentDigestHeader(sha256('{}')) });
    expect(await verdict(other, now, '{}')).toBe('signature_mismatch');
    // The query is not part of @path.
    expect(await verdict({ ...request, requestTarget: '/rotate?a=1' })).toBe('accepted');
  });

  it('in any octet of the body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (content, place, difference) => {
          const request = await signed({ request: unsigned({}, content as never) });
          expect(await verdict(request, now, content)).toBe('accepted');
          const at = place % content.length;
          const altered = content.map((octet, index) => (index === at ? octet ^ difference : octet));
          expect(await verdict(request, now, altered)).toBe('digest_mismatch');
        },
      ),
      { numRuns: 25, seed: 20_260_101 },
    );
  });

  it('in any character of the headers', async () => {
    const request = await signed();
    const names = ['signature-input', 'signature', 'content-digest'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.integer({ min: 0x20, max: 0x7e }),
        async (name, place, code) => {
          const value = request.headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? '';
          const at = place % value.length;
          const altered = value.slice(0, at) + String.fromCharCode(code) + value.slice(at + 1);
          const outcome = await verdict(withHeaders(request, { [name]: altered }));
          // White space may change if the value does not; nothing else may.
          if (altered.replaceAll(' ', '') === value.replaceAll(' ', '')) return;
          expect(outcome).not.toBe('accepted');
        },
      ),
      { numRuns: 300, seed: 20_260_101 },
    );
  });

  it('any signed request is accepted', async () => {
    const ascii = fc.string({ maxLength: 40 }).filter((value) => /^[\x21-\x7e]+$/.test(value));
    const value = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', ',', ';', '=', ':', '%', '~') });
    await fc.assert(
      fc.asyncProperty(
        ascii,
        value,
        value,
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        async (path, nonce, field, id) => {
          const keyId = id.replaceAll(/\p{Cc}/gu, '') || 'a';
          const target = `/${path}`;
          const base = withHeaders(unsigned({ requestTarget: target }), { 'x-field': field });
          const parameters = signatureParameters({
            createdSeconds: now,
            keyId,
            nonce: `${nonce}x`,
            expiresSeconds: now,
          });
          const components = ['x-field', '@query', '@target-uri', ...policy.requiredComponents];
          const request = await signed({ request: base, parameters, components });
          expect(await verdict(request)).toBe('accepted');
        },
      ),
      { numRuns: 60, seed: 20_260_101 },
    );
  });
});

describe('public signers', () => {
  const url = 'http://registry.test/rotate';
  it.each(Object.entries(publicSigners))('%s', async (_name, sign) => {
    const created = new Date(now * 1_000);
    const digest = { 'Content-Digest': contentDigestHeader(sha256(body)) };
    const headers = await sign({ method: 'POST', url, headers: digest }, key, 'nonce-1', created);
    const request = withHeaders(unsigned(), headers);
    expect(await verdict(request)).toBe('accepted');
    expect(read(request)).toMatchObject({ signature: { keyId: 'agent-1', createdSeconds: now } });
    expect(await verdict({ ...request, requestTarget: '/update' })).toBe('signature_mismatch');
    expect(await verdict(request, now + 301)).toMatch(/created_too_old|expired/);
  });
});

it('a signature is valid for its own key alone', async () => {
  const reading = read(await signed());
  if (reading.kind !== 'read') throw new Error('the request was not read');
  const other = await clientKey('agent-1', new Uint8Array(32).fill(8));
  expect(await verifySignature(reading.signature, other.publicKey)).toBe('signature_mismatch');
  expect(await verifySignature(reading.signature, 'A'.repeat(43))).toBe('unsound_key');
});
