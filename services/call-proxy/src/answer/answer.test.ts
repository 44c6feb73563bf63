import { describe, expect, it } from 'vitest';
import { asOneEvent, isEventStream } from './server-sent-event.ts';

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const string = (value: Uint8Array | null): string | null => (value === null ? null : new TextDecoder().decode(value));

describe('media types', () => {
  it('event streams are known with or without parameters', () => {
    expect([isEventStream('text/event-stream;charset=utf-8'), isEventStream('text/event-streams')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a plain answer as one event', () => {
  it('keeps every line in the event', () => {
    expect(string(asOneEvent(bytes('{"a":1}')))).toBe('data: {"a":1}\n\n');
    expect(string(asOneEvent(bytes('one\r\ntwo\n\nfour')))).toBe('data: one\ndata: two\ndata: \ndata: four\n\n');
  });
});
