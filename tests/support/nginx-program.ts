import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programsIn, unpackDistributionPackage } from '@agent-trust/embedded-servers';

const run = promisify(execFile);

/**
 * nginx of PATH, or unpacked from the distribution's package into the empty folder `work`: nothing is installed, and no system service starts.
 * @throws Error if there is neither
 */
export async function findNginx(work: string): Promise<string> {
  const installed = await run('nginx', ['-v']).then(
    () => true,
    () => false,
  );
  if (installed) return 'nginx';
  const [program] = programsIn(await unpackDistributionPackage('nginx', work), 'nginx');
  if (program === undefined) throw new Error('the package contains no nginx');
  return program;
}
