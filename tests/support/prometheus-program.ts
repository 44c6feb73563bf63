import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programsIn, unpackDistributionPackage } from '@agent-trust/embedded-servers';

const run = promisify(execFile);

/** Programs of Debian's packages for Prometheus: paths, or names if they are installed. */
export type PrometheusPrograms = { prometheus: string; promtool: string; stop: () => void };

/**
 * Prometheus and promtool of PATH, or unpacked from the distribution's package: nothing is installed, and no system service starts.
 * @returns why there is none, as a text. In CI there must be.
 * @throws Error in CI, if there is none
 */
export async function findPrometheus(): Promise<PrometheusPrograms | string> {
  if (await isInstalled()) return { prometheus: 'prometheus', promtool: 'promtool', stop: () => undefined };
  const work = mkdtempSync(join(tmpdir(), 'agent-trust-prometheus-'));
  const stop = (): void => rmSync(work, { recursive: true, force: true });
  try {
    const unpacked = await unpackDistributionPackage('prometheus', work);
    const [prometheus, promtool] = ['prometheus', 'promtool'].map((name) => programsIn(unpacked, name)[0]);
    if (prometheus === undefined || promtool === undefined) throw new Error('the package lacks prometheus or promtool');
    return { prometheus, promtool, stop };
  } catch (error) {
    stop();
    if (process.env['CI'] === 'true') throw error;
    return `Prometheus is needed (apt-get install prometheus): ${(error as Error).message.split('\n')[0]}`;
  }
}

const isInstalled = async (): Promise<boolean> => {
  try {
    await Promise.all([run('prometheus', ['--version']), run('promtool', ['--version'])]);
    return true;
  } catch {
    return false;
  }
};
