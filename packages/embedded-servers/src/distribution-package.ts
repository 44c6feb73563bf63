import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fetchTimeoutMs = 120_000;
const outputBytesMax = 4_000_000;

/** Runs a program in a folder and returns its output; rejects if it fails or takes more than two minutes. */
export async function exec(command: string, args: string[], cwd: string): Promise<string> {
  return (
    await run(command, args, {
      cwd,
      timeout: fetchTimeoutMs,
      maxBuffer: outputBytesMax,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
  ).stdout;
}

/**
 * Downloads and unpacks a package of a Debian-like distribution into the empty folder `work`; nothing is installed, no root is needed.
 * @returns the folder with the content of `/`
 * @throws Error if apt or dpkg are missing, or do not know the package
 */
export async function unpackDistributionPackage(name: string, work: string): Promise<string> {
  chmodSync(work, 0o777);
  try {
    await exec('apt-get', ['download', name], work);
  } catch {
    // The usual reason: no package lists, as on a fresh image. An ordinary user needs separate lists.
    const lists = join(work, 'apt');
    mkdirSync(join(lists, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(lists, 'cache', 'archives', 'partial'), { recursive: true });
    const folders = [`Dir::State::lists=${join(lists, 'lists')}`, `Dir::Cache=${join(lists, 'cache')}`];
    const options = [...folders, 'Debug::NoLocking=true'].flatMap((option) => ['-o', option]);
    const own = process.getuid?.() === 0 ? [] : options;
    await exec('apt-get', [...own, 'update', '-qq'], work);
    await exec('apt-get', [...own, 'download', name], work);
  }
  const archive = readdirSync(work).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get downloaded no ${name} package`);
  await exec('dpkg', ['-x', archive, 'unpacked'], work);
  return join(work, 'unpacked');
}

export function programsIn(unpacked: string, program: string): string[] {
  return ['usr/sbin', 'usr/bin'].map((folder) => join(unpacked, folder, program)).filter((path) => existsSync(path));
}
