import { runs } from '@agent-trust/test-kit/runs';
import { describe, expect, it } from 'vitest';
import { asOneEvent, isEventStream, jsonRpcResponseIn } from './server-sent-events.ts';

const responseIn = (stream: string): string | null => {
  const found = jsonRpcResponseIn(Buffer.from(stream));
  return found === null ? null : Buffer.from(found).toString();
};

describe('the JSON-RPC response in a stream', () => {
  it('is the last message with a result or an error', () => {
    const stream =
      ': ping\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}\n\n';
    expect(responseIn(stream)).toBe('{"jsonrpc":"2.0",\n"id":1,"result":{}}');
    expect(responseIn('data:{"id":1,"error":{}}\n\ndata:{"id":2,"method":"sampling/createMessage"}\n\n')).toBe(
      '{"id":1,"error":{}}',
    );
  });

  it.each([
    ['carriage returns', 'data: {"result":1}\r\rdata: {}\r\r'],
    ['both', 'id: 1\r\ndata: {"result":1}\r\n\r\n'],
    ['an empty event before it', 'id: 0\ndata:\n\ndata\n\ndata: {"result":1}\n\n'],
    ['no end', 'data: {"result":1}'],
    ['no space', 'data:{"result":1}\n'],
    ['other fields', 'dataset: {"result":2}\n\ndat: {"result":3}\n\ndata: {"result":1}\nretry: 5\n\n'],
  ])('is found with %s', (_what, stream) => expect(responseIn(stream)).toBe('{"result":1}'));

  it('may be absent', () => {
    expect(responseIn('data: hello\n\ndata: {"method":"x"}\n\n')).toBeNull();
    expect(responseIn('')).toBeNull();
  });

  it('costs little memory although it is large', () => {
    const response = `{"jsonrpc":"2.0","id":1,"result":[${'[],'.repeat(3 * 1024 * 1024)}0]}`;
    const before = process.memoryUsage().rss;
    expect(responseIn(`data: ${response}\n\n`) === response).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it.each(['\n', 'data:\n', 'data:\n\n', 'data: 1\n\n', '\r'])('costs little memory among millions of %j', (line) => {
    const before = process.memoryUsage().rss;
    const bytes = runs(4, 10) * 1024 * 1024;
    const times = Math.floor(bytes / line.length);
    expect(responseIn(`${line.repeat(times)}\n\ndata: {"result":1}\n\n`)).toBe('{"result":1}');
    expect(process.memoryUsage().rss - before).toBeLessThan(15 * bytes);
  });
});

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const string = (value: Uint8Array | null): string | null => (value === null ? null : new TextDecoder().decode(value));

describe('media types', () => {
  it('event streams are recognised with and without parameters', () => {
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
