/**
 * Bug meant: a body whose message is not parsed is taken for another than JSON.parse takes it for, so that the schema lets through, or
 * refuses, or reads something else. Method: bodies of all shapes, faults included, are held against the schema of a call both ways.
 */
import { callRequest } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '../http/validation.ts';
import { messageOf, parseCallBody } from './call-body.ts';

type Outcome = { value: Record<string, unknown> } | { fault: unknown };

const outcome = (read: () => unknown): Outcome => {
  let body: unknown;
  try {
    body = read();
  } catch {
    return { fault: 'no JSON' };
  }
  try {
    const { message: _, ...value } = parse('body', callRequest, body);
    return { value };
  } catch (error) {
    return { fault: (error as { items?: unknown }).items };
  }
};
const bothWays = (json: string): [Outcome, Outcome] => [
  outcome(() => parseCallBody(Buffer.from(json))),
  outcome(() => JSON.parse(json)),
];

const member = fc.constantFrom(
  'caller_agent_id',
  'agent_id',
  'message',
  'forwarded_headers',
  'method',
  'x',
  '__proto__',
);
const text = fc.constantFrom('"a"', '""', '"POST"', '"PUT"', JSON.stringify('x'.repeat(200)));
const object = fc.constantFrom('{}', '{"a":"b"}', '{"a":[],"b":{"c":1}}', '{"a\\u0000":"b"}');
const other = fc.constantFrom('null', '1', 'true', '[]', '[{"a":1}]', '[', '01', '');
const body = fc
  .array(fc.tuple(member, fc.oneof({ weight: 3, arbitrary: text }, { weight: 3, arbitrary: object }, other)), {
    maxLength: 7,
  })
  .map((members) => `{${members.map(([name, value]) => `"${name}": ${value}`).join(' ,')}}`);
const whole = { caller_agent_id: 'a', agent_id: 'b', message: { any: [1] } };

describe('the body of a call', () => {
  it('is the same to its schema as if its message had been parsed', () => {
    fc.assert(
      fc.property(fc.oneof(body, other, text), (json) => {
        const [read, parsed] = bothWays(json);
        expect(read).toEqual(parsed);
      }),
      { numRuns: 5_000, seed: 20_260_101 },
    );
  });

  it.each([
    JSON.stringify(whole),
    JSON.stringify({ ...whole, forwarded_headers: { accept: 'x' }, method: 'GET' }),
    `{"message":1,"\\u006dessage":{},${JSON.stringify(whole).slice(1, -1)},"agent_id":"c"}`,
  ])('is let through: %s', (json) => {
    const [read, parsed] = bothWays(json);
    expect(read).toHaveProperty('value');
    expect(read).toEqual(parsed);
  });

  it.each(['[]', '"x"', '5', 'null', '1', 'true', '"{"'])('is refused when its message is %s', (message) => {
    const json = JSON.stringify(whole).replace('{"any":[1]}', message);
    const [read, parsed] = bothWays(json);
    expect(read).toEqual({ fault: [{ loc: ['body', 'message'], msg: 'must be an object', type: 'value_error' }] });
    expect(read).toEqual(parsed);
  });

  it('takes no more memory than its text, wherever it is deep or long', () => {
    const arrays = `[${'[],'.repeat(3 * 1024 * 1024)}0]`;
    const json = Buffer.from(`{"message":{"x":${arrays}},"caller_agent_id":"a","agent_id":"b"}`);
    const ignored = Buffer.from(`{"message":{},"caller_agent_id":"a","agent_id":"b","x":${arrays}}`);
    const before = process.memoryUsage().rss;
    expect(parseCallBody(json)).toEqual({ message: {}, caller_agent_id: 'a', agent_id: 'b' });
    expect(parseCallBody(ignored)).toEqual({ message: {}, caller_agent_id: 'a', agent_id: 'b' });
    expect(messageOf(json)?.length).toBe(arrays.length + '{"x":}'.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});
