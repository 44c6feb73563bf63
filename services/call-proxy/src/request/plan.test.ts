import { getHeapStatistics } from 'node:v8';
import { DomainError, limits } from '@agent-trust/contracts';
import type { RoutableTarget } from '@agent-trust/proxy-kit';
import { outboundLimits } from '@agent-trust/safe-fetch';
import { runs } from '@agent-trust/test-kit/runs';
import { describe, expect, it } from 'vitest';
import { wantsOtherForm } from './a2a-wire-forms.ts';
import type { OutboundPlan } from './outbound-plan.ts';
import { planRequest } from './plan.ts';

/** Of this thread alone: other tests of the process use memory, too. */
const usedHeapBytes = (): number => getHeapStatistics().used_heap_size;

const target = (over: Partial<RoutableTarget> = {}): RoutableTarget => ({
  agentId: 'receiver',
  endpointUrl: 'https://agent.test/rpc',
  messageProtocol: 'a2a',
  a2aCompliant: false,
  httpMethods: null,
  payable: false,
  orgId: null,
  block: null,
  ...over,
});

const textPart = { kind: 'text', content_type: 'text/plain', content: 'hello' };
const dataPart = { kind: 'data', content_type: 'application/json', content: { sku: 7, tags: ['a'] } };
const filePart = { kind: 'file', content_type: 'image/png', content: 'aGk=' };

const envelope = (parts: unknown[], method = 'message/send'): Record<string, unknown> => ({
  jsonrpc: '2.0',
  method,
  params: { message: { role: 'user', parts } },
});

const plan = (
  to: RoutableTarget,
  message: unknown,
  options: { methodOverride?: 'GET' | 'POST'; form?: 'superset' | '1.0' } = {},
): OutboundPlan => {
  let next = 0;
  return planRequest(to, new TextEncoder().encode(JSON.stringify(message)), {
    methodOverride: options.methodOverride ?? null,
    a2aWireForm: options.form ?? 'superset',
    newId: () => `id-${next++}`,
  });
};

const bodyText = (planned: OutboundPlan): string => new TextDecoder().decode(planned.body ?? new Uint8Array());
const bodyJson = (planned: OutboundPlan): unknown => JSON.parse(bodyText(planned));

const faults = (to: RoutableTarget, message: unknown): unknown =>
  faultsOfText(to, new TextEncoder().encode(JSON.stringify(message)));
const faultsOfText = (to: RoutableTarget, message: Uint8Array): unknown => {
  try {
    planRequest(to, message, { methodOverride: null, a2aWireForm: 'superset', newId: () => 'id' });
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, at: error.items?.map((item) => item.loc.join('.')) };
    throw error;
  }
  return 'accepted';
};

describe('a plain target', () => {
  it('gets a single data part as a JSON body', () => {
    const planned = plan(target(), envelope([dataPart]));
    expect([planned.httpMethod, planned.headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(bodyJson(planned)).toEqual({ sku: 7, tags: ['a'] });
  });

  it('gets data that arrived as JSON text unchanged, including big numbers', () => {
    const content = '{"big":12345678901234567890}';
    expect(bodyText(plan(target(), envelope([{ ...dataPart, content }])))).toBe(content);
  });

  it('gets a single text part as plain text', () => {
    const planned = plan(target(), envelope([textPart]));
    expect(planned.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(bodyText(planned)).toBe('hello');
  });

  it('gets several parts, or a file, as the envelope', () => {
    expect(bodyJson(plan(target(), envelope([textPart, dataPart])))).toEqual(envelope([textPart, dataPart]));
    expect(bodyJson(plan(target(), envelope([filePart])))).toEqual(envelope([filePart]));
  });

  it('gets data fields in the query by GET, after the query of its endpoint', () => {
    const planned = plan(target({ endpointUrl: 'https://agent.test/q?key=1' }), envelope([dataPart, textPart]), {
      methodOverride: 'GET',
    });
    expect(planned.body).toBeNull();
    expect(planned.url).toBe('https://agent.test/q?key=1&sku=7&tags=%5B%22a%22%5D&text=hello');
  });

  it('gets its first method unless the caller names one', () => {
    expect(plan(target({ httpMethods: ['GET', 'POST'] }), envelope([dataPart])).httpMethod).toBe('GET');
    expect(plan(target({ httpMethods: ['GET'] }), envelope([dataPart]), { methodOverride: 'POST' }).httpMethod).toBe(
      'POST',
    );
    expect(plan(target({ httpMethods: [] }), envelope([dataPart])).httpMethod).toBe('POST');
  });

  it('cannot get more by GET than an address can hold, and is then not contacted', () => {
    const ofLength = (length: number, letter = 'x'): unknown =>
      envelope([{ ...textPart, content: letter.repeat(length) }]);
    const byGet = target({ httpMethods: ['GET'] });
    const tooLong = { code: 'invalid_message', at: ['body.message.params.message.parts'] };
    const room = outboundLimits.urlCharactersMax - `${byGet.endpointUrl}?text=`.length;
    expect(faults(byGet, ofLength(room))).toBe('accepted');
    expect(faults(byGet, ofLength(room + 1))).toEqual(tooLong);
    expect(faults(byGet, ofLength(1_000, '\u{20000}'))).toEqual(tooLong);
  });

  // Bug: a query that is rewritten for each field takes minutes for the fields that a message may have.
  it('with too many fields for GET is refused at once', () => {
    const fields = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 'x']));
    expect(faults(target({ httpMethods: ['GET'] }), envelope([{ ...dataPart, content: fields }]))).toMatchObject({
      code: 'invalid_message',
    });
  });

  it('gets a nested value by GET as compact JSON, its numbers and repeated names as the caller wrote them', () => {
    const content = String.raw`{"q": { "a b" : [1.0, 1e2, 12345678901234567890], "a b": 1, "c": "\"\\ \u00e9 d" }}`;
    const { url } = plan(target(), envelope([{ ...dataPart, content }]), { methodOverride: 'GET' });
    expect(new URL(url).searchParams.get('q')).toBe(
      String.raw`{"a b":[1.0,1e2,12345678901234567890],"a b":1,"c":"\"\\ é d"}`,
    );
  });

  // Bug: JSON.stringify runs out of stack on some thousand levels, in ten kilobytes of message.
  it('takes a value as deep as a body may be, and refuses a deeper one with its path', () => {
    const nested = (levels: number, spaces = ''): string => `${'['.repeat(levels)}${spaces}${']'.repeat(levels)}`;
    const message = (value: string): Uint8Array => {
      const text = JSON.stringify(envelope([{ ...dataPart, content: { q: null } }]));
      return new TextEncoder().encode(text.replace('null', value));
    };
    const byGet = target({ httpMethods: ['GET'] });
    const targets = [byGet, target(), target({ a2aCompliant: true })];
    // The content is the seventh object or array.
    const levelsMax = limits.bodyNestingMax - 6;
    for (const to of targets) {
      expect(faultsOfText(to, message(nested(levelsMax, ' '.repeat(20_000))))).toBe('accepted');
      for (const levels of [levelsMax + 2, 5_000, 20_000, 100_000]) {
        expect(faultsOfText(to, message(nested(levels))), `${levels}`).toMatchObject({
          code: 'invalid_message',
          at: [expect.stringMatching(/^body\.message\.params\.message\.parts\.0\.content\.q\.0/u)],
        });
      }
    }
  });

  it('cannot get a file by GET', () => {
    expect(faults(target({ httpMethods: ['GET'] }), envelope([textPart, filePart]))).toEqual({
      code: 'invalid_message',
      at: ['body.message.params.message.parts.1'],
    });
  });
});

describe('an A2A target', () => {
  const a2a = target({ a2aCompliant: true, httpMethods: ['GET'] });

  it('always gets POST with a superset of every older line', () => {
    const planned = plan(a2a, envelope([textPart, dataPart, filePart]), { methodOverride: 'GET' });
    expect(planned.httpMethod).toBe('POST');
    expect(bodyJson(planned)).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String),
      method: 'message/send',
      params: {
        message: {
          role: 'user',
          messageId: expect.any(String),
          kind: 'message',
          parts: [
            { ...textPart, text: 'hello' },
            { ...dataPart, data: dataPart.content },
            { ...filePart, file: { mimeType: 'image/png', bytes: 'aGk=' } },
          ],
        },
      },
    });
  });

  it("keeps the caller's own ids", () => {
    const message = envelope([textPart]);
    const own = { ...message, id: 42, params: { message: { role: 'user', messageId: 'mine', parts: [textPart] } } };
    expect(bodyJson(plan(a2a, own))).toMatchObject({ id: 42, params: { message: { messageId: 'mine' } } });
  });

  it('distinguishes a file by address from a file by content', () => {
    const byAddress = { ...filePart, content: 'https://files.test/a.png' };
    expect(bodyJson(plan(a2a, envelope([byAddress])))).toMatchObject({
      params: { message: { parts: [{ file: { uri: 'https://files.test/a.png' } }] } },
    });
  });

  it('can get the 1.0 wire form', () => {
    const planned = plan(a2a, envelope([textPart, dataPart, filePart], 'message/stream'), { form: '1.0' });
    expect(planned.headers['a2a-version']).toBe('1.0');
    expect(planned.streaming).toBe(true);
    expect(bodyJson(planned)).toMatchObject({
      method: 'SendStreamingMessage',
      params: {
        message: {
          role: 'ROLE_USER',
          parts: [
            { text: 'hello', mediaType: 'text/plain' },
            { data: dataPart.content, mediaType: 'application/json' },
            { raw: 'aGk=', mediaType: 'image/png' },
          ],
        },
      },
    });
  });

  it('of 1.0 gets the inverse parameter for a caller that waits', () => {
    const configurationOf = (configuration: unknown): unknown => {
      const message = envelope([textPart]);
      const planned = plan(
        a2a,
        { ...message, params: { ...(message['params'] as object), configuration } },
        { form: '1.0' },
      );
      return (bodyJson(planned) as { params: { configuration: unknown } }).params.configuration;
    };
    expect(configurationOf({ blocking: false, historyLength: 2 })).toEqual({
      returnImmediately: true,
      historyLength: 2,
    });
    expect(configurationOf({ blocking: true })).toEqual({ returnImmediately: false });
    expect(configurationOf({ returnImmediately: true })).toEqual({ returnImmediately: true });
    expect(configurationOf(null)).toBeNull();
  });

  it.each([-32601, -32009])('needs 1.0 if it answers %d', (code) => {
    expect(wantsOtherForm({ jsonrpc: '2.0', id: 1, error: { code, message: '' } })).toBe(true);
  });

  it.each([{ error: { code: -32602 } }, { result: {} }, { error: null }, [], null, 'x'])(
    'does not need 1.0 if it answers %j',
    (answer) => {
      expect(wantsOtherForm(answer)).toBe(false);
    },
  );
});

describe.each([
  ['a plain target', target(), 'superset'],
  ['an A2A target', target({ a2aCompliant: true }), 'superset'],
  ['an A2A 1.0 target', target({ a2aCompliant: true }), '1.0'],
] as const)('the content of a message to %s', (_kind, to, a2aWireForm) => {
  const planText = (text: string): OutboundPlan =>
    planRequest(to, Buffer.from(text), { methodOverride: null, a2aWireForm, newId: () => 'id' });
  const withContent = (content: string): string =>
    JSON.stringify(envelope([{ ...dataPart, content: '@' }])).replace('"@"', () => content);

  it('is passed on byte for byte: digits, spaces, repeated members, great depth', () => {
    const content = `{"n": 12345678901234567890, "n":1.0,"deep":${'['.repeat(240)}${']'.repeat(240)}}`;
    expect(bodyText(planText(withContent(content)))).toContain(content);
  });

  it('is refused with its path if it has more members than any body, and nothing is made of it', () => {
    const items = runs(1, 3) * 1024 * 1024;
    const long = `{"x":[${'[],'.repeat(items)}0]}`;
    const beside = JSON.stringify({ ...envelope([textPart, textPart]), '@': 1 }).replace('"@":1', `"metadata":${long}`);
    const many = Array.from({ length: limits.bodyMembersMax }, (_, index) => `"k${index}":0`).join();
    const inPart = JSON.stringify(envelope([{ ...textPart, '@': 1 }])).replace('"@":1', many);
    const texts: [string, string][] = [
      [withContent(long), 'params.message.parts.0.content.x'],
      [beside, 'metadata.x'],
      [inPart, 'params.message.parts.0'],
      [withContent(JSON.stringify(long)), 'params.message.parts.0.content'],
    ];
    for (const [text, at] of texts) {
      const bytes = Buffer.from(text);
      const before = usedHeapBytes();
      expect(faultsOfText(to, bytes)).toEqual({ code: 'invalid_message', at: [`body.message.${at}`] });
      // Less than a value for each item, of which there may be any number; and the names, of which as many are kept as are allowed.
      expect(usedHeapBytes() - before).toBeLessThan(16 * items + (text === inPart ? 512 * limits.bodyMembersMax : 0));
    }
    const most = Array.from({ length: limits.bodyMembersMax - 20 }, (_, index) => `"k${index}":0`).join();
    expect(planText(withContent(`{${most}}`)).httpMethod).toBe('POST');
  });
});

describe("a part in the form of A2A's SDKs", () => {
  const text = { kind: 'text', text: 'hello' };
  const data = { kind: 'data', data: { n: 12345678901234567890n } };
  const withBytes = { kind: 'file', file: { name: 'a.png', mimeType: 'image/png', bytes: 'aGk=' } };
  const withUri = { kind: 'file', file: { uri: 'https://files.test/a' } };
  const written = JSON.stringify(envelope([text, '@', withBytes, withUri])).replace(
    '"@"',
    '{"kind":"data","data":{"n":12345678901234567890}}',
  );
  const completed = [
    { ...text, content_type: 'text/plain', content: 'hello' },
    {
      kind: 'data',
      data: { n: Number(data.data.n) },
      content_type: 'application/json',
      content: { n: Number(data.data.n) },
    },
    { ...withBytes, content_type: 'image/png', content: 'aGk=' },
    { ...withUri, content_type: 'application/octet-stream', content: 'https://files.test/a' },
  ];
  const partsOf = (planned: OutboundPlan): unknown =>
    (bodyJson(planned) as { params: { message: { parts: unknown } } }).params.message.parts;
  const planWritten = (to: RoutableTarget, form: 'superset' | '1.0' = 'superset'): OutboundPlan =>
    planRequest(to, Buffer.from(written), { methodOverride: null, a2aWireForm: form, newId: () => 'id' });

  it('reaches an agent in both forms, its numbers with all their digits', () => {
    for (const to of [target(), target({ a2aCompliant: true })]) {
      expect(partsOf(planWritten(to))).toEqual(completed);
      expect(bodyText(planWritten(to)).match(/12345678901234567890/gu)).toHaveLength(2);
    }
  });

  it('reaches an A2A 1.0 target in its form', () => {
    expect(partsOf(planWritten(target({ a2aCompliant: true }), '1.0'))).toEqual([
      { text: 'hello', mediaType: 'text/plain' },
      { data: { n: Number(data.data.n) }, mediaType: 'application/json' },
      { raw: 'aGk=', mediaType: 'image/png' },
      { url: 'https://files.test/a', mediaType: 'application/octet-stream' },
    ]);
  });

  it('reaches a plain target alone, as its content', () => {
    expect(bodyText(plan(target(), envelope([text])))).toBe('hello');
    expect(bodyText(plan(target(), envelope([{ kind: 'data', data: { sku: 7 } }])))).toBe('{"sku":7}');
    const { url } = plan(target(), envelope([text]), { methodOverride: 'GET' });
    expect(new URL(url).searchParams.get('text')).toBe('hello');
  });

  it('does not replace a content of the specification', () => {
    expect(bodyText(plan(target(), envelope([{ ...textPart, text: 'other' }])))).toBe('hello');
  });

  it.each([
    [{ kind: 'text', text: 5 }, 'content'],
    [{ kind: 'text' }, 'content_type'],
    [{ kind: 'text', content_type: 'text/html', text: 'x' }, 'content_type'],
    [{ kind: 'data', data: [1] }, 'content'],
    [{ kind: 'file', file: { name: 'x' } }, 'content'],
    [{ kind: 'file', file: 'x' }, 'content_type'],
    [{ kind: 'toString', toString: 'x' }, 'kind'],
  ])('is refused with its path: %j', (part, member) => {
    expect(faults(target(), envelope([part]))).toEqual({
      code: 'invalid_message',
      at: expect.arrayContaining([`body.message.params.message.parts.0.${member}`]),
    });
  });
});

describe('an mcp target', () => {
  const mcp = target({ messageProtocol: 'mcp' });

  it('gets the message byte for byte, and accepts both media types', () => {
    const text = '{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"n":1.0,"big":12345678901234567890}}';
    const planned = planRequest(mcp, new TextEncoder().encode(text), {
      methodOverride: 'GET',
      a2aWireForm: 'superset',
      newId: () => 'x',
    });
    expect(bodyText(planned)).toBe(text);
    expect([planned.httpMethod, planned.headers['accept']]).toEqual(['POST', 'application/json, text/event-stream']);
    expect(planned.isExchange).toBe(true);
  });

  it('opens a session without an exchange', () => {
    expect(plan(mcp, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }).isExchange).toBe(false);
  });

  it('must get JSON-RPC 2.0', () => {
    expect(faults(mcp, { method: 'tools/list' })).toEqual({ code: 'invalid_message', at: ['body.message.jsonrpc'] });
  });
});

describe('a raw target', () => {
  it('gets any object, byte for byte', () => {
    expect(bodyJson(plan(target({ messageProtocol: 'raw' }), { anything: [1, null] }))).toEqual({
      anything: [1, null],
    });
  });
});

describe('the envelope of an a2a target', () => {
  it.each([
    [{}, ['body.message.jsonrpc', 'body.message.method', 'body.message.params']],
    [{ ...envelope([textPart]), jsonrpc: '1.0' }, ['body.message.jsonrpc']],
    [envelope([textPart], 'tasks/get'), ['body.message.method']],
    [envelope([]), ['body.message.params.message.parts']],
    [envelope([{ ...textPart, content_type: 'text/html' }]), ['body.message.params.message.parts.0.content_type']],
    [envelope([{ ...dataPart, content: '[1]' }]), ['body.message.params.message.parts.0.content']],
    [envelope([{ ...textPart, kind: 'audio' }]), ['body.message.params.message.parts.0.kind']],
  ])('is refused with the path of the fault: %j', (message, at) => {
    expect(faults(target(), message)).toEqual({ code: 'invalid_message', at });
  });
});

describe.each([
  ['plain', target()],
  ['a2a', target({ a2aCompliant: true })],
  ['mcp', target({ messageProtocol: 'mcp' })],
  ['raw', target({ messageProtocol: 'raw' })],
])('the message for a target that is %s', (_kind, to) => {
  it.each(['', '{', '{"jsonrpc":"2.0",}', '\ufeff{}', '{}{}'])('invalid JSON is refused: %j', (text) => {
    expect(faultsOfText(to, new TextEncoder().encode(text))).toEqual({ code: 'invalid_message', at: ['body.message'] });
  });

  it('invalid UTF-8 is refused', () => {
    expect(faultsOfText(to, Uint8Array.of(0x22, 0xff, 0x22))).toEqual({
      code: 'invalid_message',
      at: ['body.message'],
    });
  });

  it.each(['[]', '"{}"', 'null', '1', '[{"jsonrpc":"2.0"}]'])(
    'a value that is not an object is refused: %s',
    (text) => {
      expect(faultsOfText(to, new TextEncoder().encode(text))).toEqual({
        code: 'invalid_message',
        at: ['body.message'],
      });
    },
  );
});

describe.each([target({ messageProtocol: 'mcp' }), target({ messageProtocol: 'raw' })])(
  'a message that is forwarded unchanged: $messageProtocol',
  (to) => {
    it.each([
      ['"method":"message/stream"', true],
      ['"method":"message/send"', false],
      ['"method":"message/stream","method":"x"', false],
      ['"\\u006dethod":"message/stream"', true],
      ['"params":{"method":"message/stream"}', false],
    ])('requests a stream by its method: %s', (member, streaming) => {
      const text = new TextEncoder().encode(`{"jsonrpc":"2.0",${member}}`);
      const planned = planRequest(to, text, { methodOverride: null, a2aWireForm: 'superset', newId: () => 'id' });
      expect([planned.streaming, planned.body]).toEqual([streaming, text]);
    });

    it.each([
      ['too many members', `[${'[],'.repeat(3 * 1024 * 1024)}0]`, ''],
      ['5,000 levels', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, '.0'.repeat(14)],
    ])('is refused with its path for %s, and nothing is made of it', (_what, params, deeper) => {
      const text = Buffer.from(`{"jsonrpc":"2.0","x":{"params":${params}}}`);
      const before = usedHeapBytes();
      expect(faultsOfText(to, text)).toEqual({ code: 'invalid_message', at: [`body.message.x.params${deeper}`] });
      expect(usedHeapBytes() - before).toBeLessThan(16 * 1024 * 1024);
    });
  },
);
