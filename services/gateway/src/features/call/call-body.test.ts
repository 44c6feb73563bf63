/**
 * Bug: a body with an unparsed message is read differently from JSON.parse, so that the schema accepts, refuses or reads something else.
 * Method: bodies of all shapes, including invalid ones, are validated against the schema of a call in both ways.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runs } from '@agent-trust/test-kit/runs';
import { callRequest, limits } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '../../http/endpoint.ts';
import { parseCallBody } from './open-call.ts';
import { heldBytes } from '@agent-trust/test-kit/held-bytes';

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

const outcomeOfParsing = (json: string): unknown => {
  try {
    return parseCallBody(Buffer.from(json));
  } catch (error) {
    return error;
  }
};

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
const items = limits.bodyMembersMax - 10;
const whole = { caller_agent_id: 'a', agent_id: 'b', message: { any: [1] } };

describe('the body of a call', () => {
  it('gives its schema the same result as with a parsed message', () => {
    fc.assert(
      fc.property(fc.oneof(body, other, text), (json) => {
        const [read, parsed] = bothWays(json);
        expect(read).toEqual(parsed);
      }),
      { numRuns: runs(1_500, 5_000), seed: 20_260_101 },
    );
  });

  it.each([
    JSON.stringify(whole),
    JSON.stringify({ ...whole, forwarded_headers: { accept: 'x' }, method: 'GET' }),
    `{"message":1,"\\u006dessage":{},${JSON.stringify(whole).slice(1, -1)},"agent_id":"c"}`,
  ])('is accepted: %s', (json) => {
    const [read, parsed] = bothWays(json);
    expect(read).toHaveProperty('value');
    expect(read).toEqual(parsed);
  });

  it.each(['[]', '"x"', '5', 'null', '1', 'true', '"{"'])('is refused if its message is %s', (message) => {
    const json = JSON.stringify(whole).replace('{"any":[1]}', message);
    const [read, parsed] = bothWays(json);
    expect(read).toEqual({ fault: [{ loc: ['body', 'message'], msg: 'must be an object', type: 'value_error' }] });
    expect(read).toEqual(parsed);
  });

  it('takes little memory beside its text, wherever it is deep or long', async () => {
    const in64MiB = async (program: URL | string): Promise<unknown> => {
      const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16 };
      const worker = new Worker(program, { resourceLimits, execArgv: [], eval: typeof program === 'string' });
      return once(worker, 'exit').then(
        ([code]) => code as unknown,
        (error: unknown) => (error as NodeJS.ErrnoException).code,
      );
    };
    expect(await in64MiB(new URL('testing/read-long-body.ts', import.meta.url))).toBe(0);
    expect(await in64MiB("JSON.parse(`[${'[],'.repeat(3 * 1024 * 1024)}0]`)")).toBe('ERR_WORKER_OUT_OF_MEMORY');
  });

  it.each([
    ['agent_id', `[${'[],'.repeat(items)}0]`, 'received array'],
    ['agent_id', `{${'"a":[],'.repeat(items / 2)}"b":0}`, 'received object'],
    ['caller_agent_id', JSON.stringify('x'.repeat(200_000)), '128'],
    ['method', `[${'[],'.repeat(items)}0]`, 'POST'],
    ['forwarded_headers', `[${'[],'.repeat(items)}0]`, 'must be an object'],
    ['forwarded_headers', `{"a":[${'[],'.repeat(items)}0]}`, 'expected string, received array'],
    ['forwarded_headers', `{${'"a":[],'.repeat(items / 2)}"b":0}`, 'expected string, received array'],
  ])('is refused unparsed if a member is far too long: %s of %#', (name, long, why) => {
    const json = Buffer.from(JSON.stringify({ ...whole, [name]: 'here' }).replace('"here"', () => long));
    // The least of three: what else happens in the process may add to one of them, but each value made would be held.
    const values: unknown[] = [];
    const growths = [1, 2, 3].map(() => {
      const before = heldBytes();
      values.push(parseCallBody(json));
      return heldBytes() - before;
    });
    expect(Math.min(...growths)).toBeLessThan(4 * 1024 * 1024);
    const refused = outcome(() => values[0]);
    const fault = expect.objectContaining({ loc: expect.arrayContaining(['body', name]) });
    expect(refused).toMatchObject({ fault: expect.arrayContaining([fault]) });
    expect(JSON.stringify(refused)).toContain(why);
  });

  it.each(['forwarded_headers', 'unknown', 'message'])(
    'is refused with the path if %s has too many members',
    (name) => {
      const many = Array.from({ length: limits.bodyMembersMax }, (_, index) => `"x-${index}":""`).join();
      const json = JSON.stringify({ ...whole, [name]: '@' }).replace('"@"', `{"y":{${many}}}`);
      const message = `must have at most ${limits.bodyMembersMax} members at all levels`;
      expect(outcomeOfParsing(json)).toMatchObject({ path: [name, 'y'], message });
    },
  );

  it.each(['forwarded_headers', 'unknown', 'message'])('is refused with the path if %s is nested too deep', (name) => {
    const nested = (levels: number) =>
      JSON.stringify({ ...whole, [name]: '@' }).replace('"@"', `{"y":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    const message = `must be nested at most ${limits.bodyNestingMax} levels deep`;
    for (const levels of [limits.bodyNestingMax, 5_000, 1_000_000]) {
      expect(outcomeOfParsing(nested(levels))).toMatchObject({
        path: [name, 'y', ...Array<number>(14).fill(0)],
        message,
      });
    }
    expect(outcomeOfParsing(nested(limits.bodyNestingMax - 2))).toMatchObject({ agent_id: 'b' });
  });

  it('is accepted with the maximum number of headers, in any escaping', () => {
    const lines = Object.fromEntries(
      Array.from({ length: 3 }, (_, index) => [
        `x-${index}`,
        '\u00e4'.repeat(limits.forwardedHeaderBytesMax - 'x-0: \r\n'.length),
      ]),
    );
    const escaped = JSON.stringify({ ...whole, forwarded_headers: lines }).replaceAll('\u00e4', '\\u00e4');
    expect(outcome(() => parseCallBody(Buffer.from(escaped)))).toEqual(outcome(() => JSON.parse(escaped)));
    expect(outcome(() => parseCallBody(Buffer.from(escaped)))).toHaveProperty('value.forwarded_headers.x-2');
  });
});
