import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EventLogSetupError } from './errors.ts';
import { openEventLog } from './open-event-log.ts';

const entry = new URL('./open-event-log.ts', import.meta.url).href;

/** Opens `url` in a new process and returns which of the two drivers it loaded. */
const loadedBy = async (url: string): Promise<{ grpc: boolean; pg: boolean }> => {
  const script = `
    import { createRequire } from 'node:module';
    const { openEventLog } = await import(${JSON.stringify(entry)});
    const log = await openEventLog(${JSON.stringify(url)});
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    const has = (name) => loaded.some((path) => path.includes('/node_modules/' + name + '/'));
    console.log(JSON.stringify({ grpc: has('@grpc/grpc-js'), pg: has('pg') }));
    await log.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout) as { grpc: boolean; pg: boolean };
};

describe('openEventLog', () => {
  test.each(['postgres://u@127.0.0.1/x', 'postgresql://u@127.0.0.1/x'])(
    '%s loads Postgres and no gRPC',
    async (url) => {
      expect(await loadedBy(url)).toEqual({ grpc: false, pg: true });
    },
  );

  test.each(['esdb://127.0.0.1:2113?tls=false', 'esdb+discover://h:2113?tls=false', 'kurrentdb://u:p@127.0.0.1:2113'])(
    '%s loads gRPC and no Postgres',
    async (url) => {
      expect(await loadedBy(url)).toEqual({ grpc: true, pg: false });
    },
  );

  test.each(['', 'mysql://127.0.0.1/x', 'localhost'])('%j is refused', async (url) => {
    await expect(openEventLog(url)).rejects.toThrow(EventLogSetupError);
  });

  test('an invalid address is refused without its password', async () => {
    const error = await openEventLog('esdb://user:hunter2@:x:?').catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(EventLogSetupError);
    expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain('hunter2');
  });
});
