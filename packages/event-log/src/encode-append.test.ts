import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAppend } from './encode-append.ts';
import { InvalidAppendError } from './errors.ts';
import type { JsonObject } from './port.ts';

const eventId = '0191e2a5-6f6c-7c3a-8a41-1f2d3c4b5a69';
const encode = (data: JsonObject): string | undefined =>
  encodeAppend('s', [{ eventId, type: 'T', data, metadata: {} }]).events[0]?.data;

/** Texts that combine a U+0000, its escape and backslashes. */
const trickyText = fc
  .array(fc.constantFrom('\\', 'u0000', '\u0000', 'x', '"'), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('encodeAppend', () => {
  test('refuses U+0000 exactly where there is one, in any notation', () => {
    fc.assert(
      fc.property(trickyText, trickyText, (key, value) => {
        const data = { [key]: [value] };
        const stored = (): unknown => {
          try {
            return JSON.parse(encode(data) ?? '');
          } catch (error) {
            return error instanceof InvalidAppendError ? 'refused' : error;
          }
        };
        const holdsNul = key.includes('\u0000') || value.includes('\u0000');
        expect(stored()).toEqual(holdsNul ? 'refused' : data);
      }),
    );
  });

  test('ids are compared case-insensitively', () => {
    const event = { eventId, type: 'T', data: {}, metadata: {} };
    expect(() => encodeAppend('s', [event, { ...event, eventId: eventId.toUpperCase() }])).toThrow(/twice/);
  });

  test('data that is not JSON fails with the name of the event', () => {
    expect(() => encode({ amount: 1n } as unknown as JsonObject)).toThrow(
      `Data of event ${eventId} (T) cannot be written as JSON.`,
    );
    expect(() => encode([] as unknown as JsonObject)).toThrow(/not an object/);
  });
});
