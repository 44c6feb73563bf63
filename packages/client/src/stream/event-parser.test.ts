import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventParser, type StreamEvent } from './event-parser.ts';

const parse = (...pieces: string[]): StreamEvent[] => {
  const parser = eventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};
const event = (data: string, more: Partial<StreamEvent> = {}): StreamEvent => ({
  event: 'message',
  id: null,
  data,
  json: undefined,
  ...more,
});

describe('server-sent events', () => {
  it('end with an empty line', () => {
    expect(parse('data: one\n\ndata: two\n\ndata: never')).toEqual([event('one'), event('two')]);
  });

  it('may have several lines of data, a name and an id, and comments between them', () => {
    expect(parse(': hello\nevent: status\nid: 7\ndata: a\ndata\ndata:  b\nretry: 5\n\ndata: c\n\n')).toEqual([
      event('a\n\n b', { event: 'status', id: '7' }),
      event('c', { id: '7' }),
    ]);
  });

  it('are dropped without data', () => {
    expect(parse('event: ping\n\n: comment\n\nid: 3\n\n')).toEqual([]);
  });

  it('keep the last id, also of an event without data, but not of an incomplete one', () => {
    const parser = eventParser();
    expect(parser.lastId).toBeNull();
    parser.push('retry: 1\nid: 3\n\nid: 4\n');
    expect(parser.lastId).toBe('3');
    parser.push('data: a\n\n: comment\n\n');
    expect(parser.lastId).toBe('4');
  });

  it('have their data parsed if it is JSON', () => {
    expect(parse('data: {"a":[1]}\n\ndata: {"a"\n\n')).toEqual([
      event('{"a":[1]}', { json: { a: [1] } }),
      event('{"a"'),
    ]);
  });

  it('end their lines with CR, LF or both, and may begin with a byte order mark', () => {
    const expected = [event('one'), event('two\nlines')];
    for (const end of ['\n', '\r', '\r\n'])
      expect(parse(`\uFEFFdata: one${end}${end}data: two${end}data: lines${end}${end}data: x`)).toEqual(expected);
  });

  it('are delivered as soon as they are complete, also if a CR may be half of a CRLF', () => {
    const parser = eventParser();
    expect(parser.push('data: one\r\r')).toEqual([event('one')]);
    expect(parser.push('\ndata: two\r')).toEqual([]);
    expect(parser.push('\n\r')).toEqual([event('two')]);
    expect(parser.push('\n')).toEqual([]);
  });

  it('begin with one byte order mark at most', () => {
    expect(parse('\uFEFF', 'data: one\n\n')).toEqual([event('one')]);
    expect(parse('\uFEFF\uFEFFdata: one\n\n')).toEqual([]);
    expect(parse('data: one\n\n', '\uFEFFdata: two\n\n')).toEqual([event('one')]);
  });

  it('are the same however their text is split', () => {
    const text = '\uFEFFid: 1\r\ndata: ä€😀\r\n\r\nevent: x\rdata: {"b":2}\r\rdata: c\n\ndata:\n\n: c\ndata: end\n\n';
    const whole = parse(text);
    expect(whole).toHaveLength(5);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(parse(...pieces)).toEqual(whole);
      }),
    );
  });

  it('report the length of the incomplete event', () => {
    const parser = eventParser();
    parser.push('data: 12345\ndata: 67');
    expect(parser.pendingChars).toBe('data: 12345data: 67'.length);
    parser.push('\n\n');
    expect(parser.pendingChars).toBe(0);
  });
});
