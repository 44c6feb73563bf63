import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callHeaders, readCallHeaders } from './call-headers.ts';

test('an actor with any Unicode is transmitted unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (id, kind) => {
      const encoded = callHeaders({ actor: { kind, id }, correlationId: 'c-1' }, 1_000, {});
      expect(readCallHeaders(encoded).actor).toEqual({ kind, id });
      expect(readCallHeaders(encoded).correlationId).toBe('c-1');
    }),
  );
});

test.each(['', 'a\r\nb: c', 'ü', 'x'.repeat(129)])('a correlation id %j is refused', (correlationId) => {
  expect(() => callHeaders({ correlationId }, 1_000, {})).toThrow(TypeError);
});

test('missing or malformed headers count as absent, and a correlation id is generated', () => {
  const read = readCallHeaders(undefined);
  expect(read.correlationId).toMatch(/^[0-9a-f-]{36}$/);
  expect(read).toMatchObject({ actor: undefined, traceparent: undefined, timeoutMs: undefined });
});

test('a trace context is passed on unchanged', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(readCallHeaders(callHeaders({}, 1, { traceparent })).traceparent).toBe(traceparent);
  const invalid = [
    'nonsense',
    traceparent.replace(/^00/u, 'ff'),
    traceparent.replace(/(?<=-)[0-9a-f]{32}/u, '0'.repeat(32)),
    traceparent.replace(/(?<=-)[0-9a-f]{16}(?=-)/u, '0'.repeat(16)),
    `${traceparent}-more`,
  ];
  for (const other of invalid)
    expect([other, readCallHeaders(callHeaders({}, 1, { traceparent: other })).traceparent]).toEqual([
      other,
      undefined,
    ]);
});
