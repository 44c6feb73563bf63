import { appendFileSync } from 'node:fs';
import { beginsWithV1 } from '../../support/first-policy.ts';
import { type Stack, type StackOptions, startStack } from '@agent-trust/dev-stack';

/**
 * The whole system on temporary data, durable as in production, so that a crash loses only what was not written yet.
 * `dataDir` names a folder of the test's own. CHAOS_LOG names a file for every log line of every process, to investigate a failure.
 */
export function startChaosStack(
  env: Record<string, string> = {},
  onLog: (process: string, line: string) => void = () => undefined,
  dataDir?: string,
): Promise<Stack> {
  const file = process.env['CHAOS_LOG'];
  const write = (line: string): void => {
    if (file !== undefined) appendFileSync(file, `${line}\n`);
  };
  const options: StackOptions = {
    ...(dataDir === undefined ? { ephemeral: true } : { dataDir, port: 0 }),
    // The load registers more agents from one address than one may.
    // On a busy machine a write takes seconds to reach readers; the answer read_model_behind would tell of the machine alone.
    env: { ...process.env, ...beginsWithV1, REGISTRATIONS_PER_MINUTE: '0', READ_MODEL_WAIT_MS: '20s', ...env },
    onProgress: (line) => write(`stack: ${line}`),
    onLog: (name, line) => {
      write(`${name}: ${line}`);
      onLog(name, line);
    },
  };
  return startStack(options);
}
