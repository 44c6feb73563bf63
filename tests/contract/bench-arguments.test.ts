// Bug: `npm run bench -- --help`, or a word that is misspelt, starts benchmarks of half an hour, which overwrite the report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const bench = async (...args: string[]): Promise<{ code: unknown; said: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'bench', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said: (await said).join('') };
};

it('bench says how it is used, and starts nothing', async () => {
  const { code, said } = await bench('attacks', '--help');
  expect(code).toBe(0);
  expect(said).toMatch(
    /^Usage: npm run bench -- \[archive \| attacks \| console \| event-log \| policy \| telemetry\]/u,
  );
});

it.each([
  ['a word that it does not know', ['attack'], "'attack'"],
  ['an option that it does not know', ['--second', '1'], "'--second'"],
  ['an attack that there is none of', ['attacks', '--only', 'locusts'], "'locusts': two calls"],
  ['what is no number', ['attacks', '--seconds', 'ten'], "'ten'"],
  ['attacks to choose, but no attacks', ['--only', 'calls'], '--only goes with attacks'],
])('bench refuses %s', async (_what, args, named) => {
  const { code, said } = await bench(...args);
  expect(code).toBe(2);
  expect(said).toContain(named);
});
