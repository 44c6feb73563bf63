import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrapKey, wrappingKeyOf } from '@agent-trust/personal-data';
import { BackupError } from './backup-error.ts';
import { type Manifest, type ManifestPart, openBackup, secretsFile } from './manifest.ts';
import { allParts, nameOf } from './parts.ts';
import { readRows } from './table-files.ts';

export type Secrets = Readonly<Record<string, string>>;

const keyName = 'PERSONAL_DATA_KEY';

/**
 * Reads the whole backup: every file has its checksum and its number of rows, the log is in order and reaches to what was signed, and the secrets
 * open every key of personal data.
 * @param given secrets for a backup without them; with neither, keys are not opened
 * @throws BackupError that names what is wrong
 */
export async function verifyBackup(folder: string, given: Secrets | null): Promise<Manifest> {
  const manifest = await openBackup(folder);
  const secrets = given ?? secretsOf(folder, manifest);
  const known = new Set(allParts.map(nameOf));
  for (const part of manifest.parts) {
    if (!known.has(nameOf(part)))
      throw new BackupError(`${folder} has ${nameOf(part)}, which this build does not know.`);
    const check = checkOf(part, manifest, secrets);
    const rows = await readRows(join(folder, part.file), check.row).catch((cause: unknown) => {
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

/** The secrets in a backup; null if it has none. */
export function secretsOf(folder: string, manifest: Manifest): Secrets | null {
  return manifest.secrets === null ? null : (JSON.parse(readFileSync(join(folder, secretsFile), 'utf8')) as Secrets);
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
              `The secrets do not open the key ${keyId} of personal data: ${keyName} is another one than the one that the registry had when the backup was made.`,
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
