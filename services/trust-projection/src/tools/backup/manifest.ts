import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder, writeDurably } from '@agent-trust/log-archive';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { backupLimits } from './limits.ts';

/** Increased when a build writes backups that earlier builds cannot restore. */
export const backupFormat = 1;
export const manifestFile = 'manifest.json';
/** In the form that `sha256sum --check` reads. Written last: a folder without it is no backup. */
export const sumsFile = 'SHA256SUMS';
export const secretsFile = 'secrets.json';

const whole = z.number().int().nonnegative();
const schema = z.strictObject({
  format: whole,
  madeAt: z.iso.datetime(),
  registryVersion: z.string(),
  postgresVersion: z.string(),
  logFormat: whole,
  /** The last event of the copy; null for an empty log. */
  log: z.strictObject({ events: whole, lastPosition: z.string(), lastEventId: z.string() }).nullable(),
  /** The newest signed head of the copy, which the log continues. */
  checkpoint: z
    .strictObject({ origin: z.string(), size: whole, rootHash: z.string(), lastPosition: z.string().nullable() })
    .nullable(),
  /** Names of the secrets that are in the backup; null if it has none. */
  secrets: z.array(z.string()).nullable(),
  parts: z.array(
    z.strictObject({
      schema: z.string(),
      table: z.string(),
      file: z.string(),
      columns: z.array(z.string()),
      rows: whole,
      bytes: whole,
    }),
  ),
});

export type Manifest = z.output<typeof schema>;
export type ManifestPart = Manifest['parts'][number];

/** Writes the manifest and then the checksums of every file, durably, for their owner alone. */
export async function sealBackup(folder: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
  await writeDurably(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  const lines: string[] = [];
  for (const file of readdirSync(folder).sort()) lines.push(`${await sha256Of(join(folder, file), signal)}  ${file}\n`);
  await writeDurably(join(folder, sumsFile), lines.join(''));
  await syncFolder(folder);
}

/**
 * Reads a backup's manifest after comparing every file with its checksum.
 * @throws BackupError that names the file which is missing, was changed, or does not belong there
 */
export async function openBackup(folder: string, signal: AbortSignal): Promise<Manifest> {
  if (!existsSync(join(folder, sumsFile)))
    throw new BackupError(
      `${folder} is no backup: it has no ${sumsFile}. One that was interrupted has none either; take another one.`,
    );
  const sums = new Map(
    readSmall(join(folder, sumsFile))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const found = readdirSync(folder).filter((file) => file !== sumsFile);
  // A link may lead out of the folder, and reading a device never ends.
  const special = found.find((file) => !lstatSync(join(folder, file)).isFile());
  if (special !== undefined)
    throw new BackupError(`${join(folder, special)} is no regular file, and a backup has only such: use another copy.`);
  const strange = found.find((file) => !sums.has(file));
  if (strange !== undefined)
    throw new BackupError(`${join(folder, strange)} is not in ${sumsFile}: remove it, or use another copy.`);
  for (const [file, sum] of sums) {
    const path = join(folder, file);
    if (!found.includes(file)) throw new BackupError(`${path} is missing: use another copy of this backup.`);
    if ((await sha256Of(path, signal)) !== sum)
      throw new BackupError(`${path} was changed after the backup was made: use another copy of this backup.`);
  }
  return readManifest(folder);
}

const readManifest = (folder: string): Manifest => {
  const path = join(folder, manifestFile);
  if (!existsSync(path)) throw new BackupError(`${path} is missing: use another copy of this backup.`);
  const json = parsed(readSmall(path));
  const format = z.object({ format: z.unknown() }).safeParse(json).data?.format;
  if (format !== backupFormat)
    throw new BackupError(
      `${folder} has format ${String(format)}, and this build reads format ${backupFormat}: use the build that wrote it.`,
    );
  const result = schema.safeParse(json);
  if (!result.success) throw new BackupError(`${path} is no manifest of a backup:\n${z.prettifyError(result.error)}`);
  return result.data;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

const readSmall = (path: string): string => {
  const found = lstatSync(path);
  if (!found.isFile() || found.size > backupLimits.manifestBytesMax)
    throw new BackupError(`${path} is no regular file of at most ${backupLimits.manifestBytesMax} bytes.`);
  return readFileSync(path, 'utf8');
};

const sha256Of = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
};
