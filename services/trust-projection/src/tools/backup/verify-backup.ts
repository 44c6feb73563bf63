import { join } from 'node:path';
import { unwrapKey, wrappingKeyOf } from '@agent-trust/personal-data';
import { BackupError } from './backup-error.ts';
import { type Manifest, manifestFile, type ManifestPart, openBackup, secretsFile } from './manifest.ts';
import { allParts, fileOf, nameOf, neededParts } from './parts.ts';
import { countingSecrets, readSecretsFile, type Secrets } from './secrets.ts';
import { readRows } from './table-files.ts';

const keyName = 'PERSONAL_DATA_KEY';

export type VerifyOptions = {
  /** Secrets for a backup without them; with neither, and none in `env`, keys are not opened. */
  given: Secrets | null;
  /** May set keys of personal data, which count instead of those of the backup. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
};

/**
 * Reads the whole backup: every file has its checksum and its number of rows, the log is in order and reaches to what was signed, and the secrets
 * open every key of personal data.
 * @throws BackupError that names what is wrong
 */
export async function verifyBackup(folder: string, { given, env, signal }: VerifyOptions): Promise<Manifest> {
  const manifest = await openBackup(folder, signal);
  const secrets = countingSecrets(given ?? secretsOf(folder, manifest), env);
  ensureParts(folder, manifest);
  for (const part of manifest.parts) {
    const check = checkOf(part, manifest, secrets);
    const rows = await readRows(join(folder, part.file), check.row, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw cause instanceof BackupError
        ? cause
        : new BackupError(`${join(folder, part.file)} cannot be read: ${String(cause)}`, { cause });
    });
    if (rows !== part.rows)
      throw new BackupError(`${join(folder, part.file)} has ${rows} rows, and the manifest says ${part.rows}.`);
    check.end();
  }
  return manifest;
}

/** The manifest is no more to be trusted than the rest of the folder: it names each table once, in the file of that table. */
const ensureParts = (folder: string, { parts }: Manifest): void => {
  const known = new Map(allParts.map((part) => [nameOf(part), fileOf(part)]));
  const seen = new Set<string>();
  for (const part of parts) {
    const name = nameOf(part);
    if (!known.has(name)) throw new BackupError(`${folder} has ${name}, which this build does not know.`);
    if (part.file !== known.get(name) || seen.has(name))
      throw new BackupError(
        `${join(folder, manifestFile)} has ${name} twice or in another file than ${known.get(name)}.`,
      );
    seen.add(name);
  }
  const missing = neededParts.find((name) => !seen.has(name));
  if (missing !== undefined)
    throw new BackupError(
      `${folder} has no ${missing}, without which there is no registry: use another copy of this backup.`,
    );
};

/** The secrets in a backup; null if it has none. */
export function secretsOf(folder: string, manifest: Manifest): Secrets | null {
  return manifest.secrets === null ? null : readSecretsFile(join(folder, secretsFile));
}

type Check = { row: (fields: string[]) => void; end: () => void };
const nothing = (): void => undefined;

const checkOf = (part: ManifestPart, manifest: Manifest, secrets: Secrets | null): Check => {
  const at = (fields: string[], column: string): string => fields[part.columns.indexOf(column)] ?? '';
  switch (nameOf(part)) {
    case 'event_log.events':
      return checkOfLog((fields) => BigInt(at(fields, 'position')), manifest);
    case 'personal_data.agent_key': {
      const key = secrets?.[keyName];
      if (key === undefined) return { row: nothing, end: nothing };
      const wrappingKey = wrappingKeyOf(key, secrets?.[`${keyName}_PREVIOUS`]);
      return {
        row: (fields) => {
          const wrapped = Buffer.from(at(fields, 'wrapped_key').replace(/^\\\\x/u, ''), 'hex');
          const [keyId, agentId] = [at(fields, 'key_id'), at(fields, 'agent_id')];
          try {
            unwrapKey(wrappingKey, { agentId, keyId, wrapped });
          } catch (cause) {
            throw new BackupError(
              `The secrets do not open the key ${keyId} of personal data: ${keyName} is another one than the one that the registry had when the backup was made. Where the registry has it from its environment, this command needs it there, too.`,
              { cause },
            );
          }
        },
        end: nothing,
      };
    }
    default:
      return { row: nothing, end: nothing };
  }
};

const checkOfLog = (positionOf: (fields: string[]) => bigint, { log, checkpoint }: Manifest): Check => {
  const signedTo = checkpoint === null || checkpoint.lastPosition === null ? null : BigInt(checkpoint.lastPosition);
  let last: bigint | null = null;
  return {
    row: (fields) => {
      const position = positionOf(fields);
      if (last !== null && position <= last)
        throw new BackupError(`The log of the backup has position ${position} behind ${last}.`);
      last = position;
    },
    end: () => {
      if (String(last) !== String(log?.lastPosition ?? null))
        throw new BackupError(`The log of the backup ends at ${last}, and the manifest says ${log?.lastPosition}.`);
      // The event itself may be archived; then its record is behind it.
      if (signedTo !== null && (last === null || last < signedTo))
        throw new BackupError(
          `The log of the backup ends at ${last}, and a checkpoint was signed up to position ${signedTo}.`,
        );
    },
  };
};
