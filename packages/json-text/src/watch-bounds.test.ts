// Bugs: a text is cut where its reader would have gone on, so that a caller is refused what is allowed; an excess is missed, because a piece ends
// within a string or an escape. Method: JSON of any kind, in pieces of any size. What is found must be what the reader refuses, at the same place.
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf, isJson, JsonBoundsError } from './scan.ts';
import { watchBounds } from './watch-bounds.ts';

/** The first bytes of a text that exceed the bounds; null if none do. */
const excessOf = (text: Buffer, bounds: [number, number], sizes: readonly number[]): Buffer | null => {
  const watch = watchBounds(...bounds);
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const end = Math.min(text.length, at + (sizes[index % sizes.length] ?? 1));
    const found = watch(text.subarray(at, end));
    if (found !== null) return text.subarray(0, at + found);
    at = end;
  }
  return null;
};
const refusalOf = (text: Buffer, bounds: [number, number]): unknown => {
  try {
    return isJson(text, budgetOf(...bounds));
  } catch (error) {
    if (!(error instanceof JsonBoundsError)) throw error;
    return { kind: error.kind, path: error.path };
  }
};

const long = fc.integer({ min: 30, max: 120 }).map((length) => 'x'.repeat(length));
const text = fc.oneof(fc.string({ unit: 'binary' }), long, fc.constantFrom('\\', '"', '\\"', '},{', '\\\\', 'ä,"'));
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), text),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const json = fc.tuple(value, fc.constantFrom(undefined, 1)).map(([of, indent]) => JSON.stringify(of, null, indent));
const bounds = fc.tuple(fc.nat(12), fc.nat(5));
const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 });
const tries = { numRuns: runs(2_000, 10_000), seed: 20_260_101 };

describe('watchBounds', () => {
  it('stops a text of JSON where its reader stops', () => {
    fc.assert(
      fc.property(json, bounds, sizes, (written, limits, pieces) => {
        const whole = Buffer.from(written);
        const found = excessOf(whole, limits, pieces);
        expect(found === null || refusalOf(found, limits)).toEqual(refusalOf(whole, limits));
      }),
      tries,
    );
  });

  it('stops no text that its reader would take, JSON or not', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', ' ', 'x', '"a"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), bounds, sizes, (written, limits, pieces) => {
        const found = excessOf(Buffer.from(written.join('')), limits, pieces);
        expect(found !== null && refusalOf(found, limits) === true).toBe(false);
      }),
      tries,
    );
  });
});
