import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeAccept,
  decodeFrame,
  decodeOpen,
  decodeWhole,
  encodeAccept,
  encodeFrame,
  encodeOpen,
  encodeWhole,
  type FrameKind,
  frameKinds,
} from './frames.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
const kinds = fc.constantFrom(...(Object.keys(frameKinds) as FrameKind[]));
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const plain = (value: Uint8Array): number[] => [...value];

test('a frame is decoded to the encoded value', () => {
  fc.assert(
    fc.property(kinds, uint32, fc.array(bytes, { maxLength: 4 }), (kind, sequence, parts) => {
      const frame = decodeFrame(encodeFrame(kind, sequence, parts));
      expect(frame?.kind).toBe(kind);
      expect(frame?.sequence).toBe(sequence);
      expect(plain(frame?.payload ?? new Uint8Array())).toEqual(parts.flatMap(plain));
    }),
  );
});

test('open, accept and whole are decoded to the encoded values', () => {
  fc.assert(
    fc.property(uint32, fc.boolean(), bytes, bytes, bytes, (windowBytes, bodyComplete, first, second, third) => {
      const open = decodeOpen(Buffer.concat(encodeOpen({ windowBytes, bodyComplete, input: first, body: second })));
      expect(open && { ...open, input: plain(open.input), body: plain(open.body) }).toEqual({
        windowBytes,
        bodyComplete,
        input: plain(first),
        body: plain(second),
      });
      const whole = decodeWhole(Buffer.concat(encodeWhole({ head: first, trailer: second, body: third })));
      expect(whole && [plain(whole.head), plain(whole.trailer), plain(whole.body)]).toEqual([
        plain(first),
        plain(second),
        plain(third),
      ]);
      expect(decodeAccept(Buffer.concat(encodeAccept({ windowBytes, control: 'control.a.b.c' })))).toEqual({
        windowBytes,
        control: 'control.a.b.c',
      });
    }),
  );
});

test('no input makes a decoder throw', () => {
  fc.assert(
    fc.property(bytes, (hostile) => {
      decodeFrame(hostile);
      decodeOpen(hostile);
      decodeAccept(hostile);
      decodeWhole(hostile);
    }),
  );
  expect(decodeFrame(Uint8Array.of(99, 0, 0, 0, 0))).toBeNull();
  expect(decodeOpen(Uint8Array.of(0, 0, 0, 1, 1, 255, 255, 255, 255))).toBeNull();
});
