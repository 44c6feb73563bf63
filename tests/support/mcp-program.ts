import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';

export type ProgramRun = { code: number | null; stdout: string; stderr: string };

const testsFolder = fileURLToPath(new URL('..', import.meta.url));
const runMsMax = 150_000;

/** Runs a program of a devDependency to its end, isolated from the settings of the user who runs the tests. */
export function runProgram(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${testsFolder}node_modules/${name}`, ...args], {
      cwd: testsFolder,
      env: { ...compileCache, PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: runMsMax,
    });
    const run: ProgramRun = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      run.stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      run.stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...run, code }));
  });
}
