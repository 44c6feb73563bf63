import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));

const run = async (
  input: string | Uint8Array,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  // The program may exit at an invalid line before it has read all of its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
};

const review = (overrides: object = {}): object => ({
  reviewed_at: '2026-01-01T00:00:00Z',
  reviewer: 'r1',
  org_domain: 'x.test',
  roots: { 'x.test': 1 },
  trust: 75,
  success: true,
  score: 9,
  ...overrides,
});
const line = (reviews: object[], prior: unknown = 75): string => JSON.stringify({ prior, reviews });

describe('trust:score', () => {
  test('prints a score for each history, in order, and skips blank lines', async () => {
    const { code, out, err } = await run(`${line([])}\n\n  \n${line([review()])}\n${line([], 40)}`);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual([
      { score: 75, unrounded: 75 },
      { score: 77, unrounded: expect.closeTo((375 + (0.75 * 800) / 9) / 5.75, 10) as number },
      { score: 40, unrounded: 40 },
    ]);
  });

  test('accepts a byte order mark, CRLF, any offset and no input at all', async () => {
    const offset = line([review(), review({ reviewed_at: '2026-01-01T02:00:00.5+02:00' })]);
    const marked = await run(`\uFEFF${line([])}\r\n${offset}\r\n`);
    expect(marked.err).toBe('');
    expect(marked.out.trimEnd().split('\n')).toHaveLength(2);
    expect(await run('')).toEqual({ code: 0, out: '', err: '' });
  });

  test.each([
    ['not JSON', '{', /^line 2: not JSON: /],
    ['newest first', line([review(), review({ reviewed_at: '2025-12-31T23:59:59Z' })]), /reviews\[1\]\.reviewed_at: /],
  ])('refuses %s: one line that names the fault, exit 2', async (_name, bad, fault) => {
    const { code, out, err } = await run(`${line([])}\n${bad}\n${line([])}\n`);
    expect(code).toBe(2);
    expect(err).toMatch(fault);
    expect(err).toMatch(/^line 2: [^\n]*\n$/);
    expect(out).toBe('{"score":75,"unrounded":75}\n');
  });

  test('refuses invalid UTF-8, and keeps control characters of the input out of its error line', async () => {
    const bytes = await run(Uint8Array.of(0x22, 0xff, 0x22, 0x0a));
    expect(bytes).toMatchObject({ code: 2, err: 'line 1: is not UTF-8\n' });
    const escapes = await run('\u001b[31m\rboo\n');
    expect(escapes.code).toBe(2);
    expect(escapes.err.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test('refuses a line above its limit', async () => {
    const { code, out, err } = await run(Buffer.alloc(65 * 1024 * 1024, 'x'));
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: 'line 1: is longer than 67108864 bytes\n' });
  });

  test('has a help text, and accepts no arguments', async () => {
    expect(await run('', '--', '--help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Usage: npm run -s trust:score/u) as string,
    });
    const named = await run(line([]), 'history.jsonl');
    expect(named).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('does not take positional arguments') as string,
    });
    expect(await run(line([]), '--')).toMatchObject({ code: 0, out: '{"score":75,"unrounded":75}\n' });
  });

  test('scores small logs by policy v2, and knows no other policy', async () => {
    const agents = [
      { agent_id: 'a', organisation: 'acme', prior: 75 },
      { agent_id: 't', prior: 40 },
    ];
    const log = (receiver: string): string =>
      JSON.stringify({ agents, reviews: [{ ...review(), org_domain: undefined, reviewer: 'a', receiver }] });
    const { code, out, err } = await run(`${log('t')}\n\n${log('x')}\n`, '--policy', 'v2');
    expect({ code, err }).toEqual({ code: 2, err: 'line 3: reviews[0].receiver: is not among the agents\n' });
    expect(out).toBe('{"scores":{"a":75,"t":44},"priors":{"acme":75},"established":[]}\n');
    expect(await run('', '--policy=v3')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--policy must be v1 or v2, not "v3"') as string,
    });
  });

  test('exits without an error when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [PROGRAM], { stdio: 'pipe' });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => undefined);
    const closed = once(child, 'close');
    child.stdout.destroy();
    child.stdin.end(`${line([])}\n`.repeat(50_000));
    const [code] = (await closed) as [number];
    expect(err).toBe('');
    expect(code).toBe(0);
  });
});
