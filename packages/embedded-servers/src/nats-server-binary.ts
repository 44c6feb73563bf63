import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exec, programsIn, unpackDistributionPackage } from './distribution-package.ts';

const run = promisify(execFile);
const versionTimeoutMs = 10_000;
const image = 'nats:2.12';

export interface NatsServerSource {
  /** Where a downloaded server is stored; default: the per-user cache folder. */
  readonly cacheDir?: string;
  /** Called with a message for the user when something is downloaded. */
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

const fromDistributionPackage = async (work: string): Promise<string> => {
  const programs = programsIn(await unpackDistributionPackage('nats-server', work), 'nats-server');
  for (const path of programs) if (await worksAs(path)) return path;
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
 * Finds a nats-server (2.9 or later): on PATH, in the cache folder, else taken from the distribution's package or the Docker image and cached.
 * @throws Error that says what to install.
 */
export async function provideNatsServer(source: NatsServerSource = {}): Promise<string> {
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
      // Copy, then rename: another process that does the same at this moment never sees an incomplete program.
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
}

/**
 * The per-user folder for downloaded programs: `$XDG_CACHE_HOME`, else `~/.cache`, else the temporary folder; the first that is or can be made,
 * and that nobody else may write to: what is in it is run.
 */
export function defaultCacheDir(): string {
  const candidates = [
    process.env['XDG_CACHE_HOME'],
    join(homedir(), '.cache'),
    join(tmpdir(), `cache-${process.getuid?.() ?? 'user'}`),
  ];
  for (const base of candidates) {
    if (base === undefined || base === '') continue;
    const folder = join(base, 'agent-trust-registry');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (isOwn(folder)) return folder;
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new Error('no folder for cached programs can be written by this user alone: set XDG_CACHE_HOME');
}

const isOwn = (folder: string): boolean => {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
};
