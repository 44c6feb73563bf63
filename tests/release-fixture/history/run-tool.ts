import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Stack } from '@agent-trust/dev-stack';

const tools = resolve(import.meta.dirname, '../../../services/trust-projection/src/tools');

/**
 * Runs a command of operators beside a stack. `daysAhead` sets what `Date.now()` says, and only that: the archive takes exchanges of yesterday
 * and earlier, and those of a new stack are minutes old.
 */
export async function runTool(
  stack: Stack,
  name: string,
  args: readonly string[],
  { daysAhead = 0 }: { daysAhead?: number } = {},
): Promise<void> {
  const program = pathToFileURL(resolve(tools, name, 'main.ts')).href;
  const script = `process.argv.splice(1, 0, '${name}'); const now = Date.now; Date.now = () => now() + ${daysAhead * 86_400_000}; await import('${program}');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
    env: { ...process.env, ...stack.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${complaints}${output}`);
}
