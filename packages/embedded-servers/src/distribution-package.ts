import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
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
 * Downloads and unpacks a package of a Debian-like distribution into the empty folder `work`, which only this user may write to; nothing is
 * installed, no root is needed. The package is the one that the distribution's signed index names, by its name, size and checksum.
 * @returns the folder with the content of `/`
 * @throws Error if apt or dpkg are missing, or do not know the package, or what was downloaded is another
 */
export async function unpackDistributionPackage(name: string, work: string): Promise<string> {
  chmodSync(work, 0o700);
  // apt's own download user could not write to a private folder.
  const apt = (options: readonly string[], ...args: string[]): Promise<string> =>
    exec('apt-get', [...(isRoot() ? ['-o', 'APT::Sandbox::User=root'] : options), ...args], work);
  let options: string[] = [];
  const download = async (): Promise<Indexed> => {
    // Before the download: apt prints no address of a file that is there already.
    const indexed = readIndexed(name, await apt(options, 'download', '--print-uris', name));
    await apt(options, 'download', name);
    return indexed;
  };
  let indexed: Indexed;
  try {
    indexed = await download();
  } catch {
    // The usual reason: no package lists, as on a fresh image. An ordinary user needs separate lists.
    const lists = join(work, 'apt');
    mkdirSync(join(lists, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(lists, 'cache', 'archives', 'partial'), { recursive: true });
    const folders = [`Dir::State::lists=${join(lists, 'lists')}`, `Dir::Cache=${join(lists, 'cache')}`];
    options = [...folders, 'Debug::NoLocking=true'].flatMap((option) => ['-o', option]);
    await apt(options, 'update', '-qq');
    indexed = await download();
  }
  ensureSame(join(work, indexed.file), indexed);
  await exec('dpkg', ['-x', indexed.file, 'unpacked'], work);
  return join(work, 'unpacked');
}

const isRoot = (): boolean => process.getuid?.() === 0;

type Indexed = { file: string; bytes: number; algorithm: string; digest: string };

/** What `apt-get download --print-uris` says of a package: 'address' file bytes algorithm:digest. */
const readIndexed = (name: string, output: string): Indexed => {
  const line = /^'[^']+' ([\w.+~%-]+\.deb) (\d+) (SHA256|SHA512):([0-9a-f]+)$/m.exec(output);
  const [, file = '', bytes, algorithm = '', digest = ''] = line ?? [];
  if (!file.startsWith(`${name}_`)) throw new Error(`the package index does not say which file ${name} is`);
  return { file, bytes: Number(bytes), algorithm, digest };
};

const ensureSame = (path: string, { bytes, algorithm, digest }: Indexed): void => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`apt-get downloaded no ${path}`);
  if (!found.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) {
    throw new Error(`${path} is not a file of this user`);
  }
  const actual = hash(algorithm.toLowerCase(), readFileSync(path), 'hex');
  if (found.size !== bytes || actual !== digest) throw new Error(`${path} is not the file of the package index`);
};

export function programsIn(unpacked: string, program: string): string[] {
  return ['usr/sbin', 'usr/bin'].map((folder) => join(unpacked, folder, program)).filter((path) => existsSync(path));
}
