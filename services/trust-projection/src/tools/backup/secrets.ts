import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';

export type Secrets = Readonly<Record<string, string>>;

const schema = z.record(z.string(), z.string());

/** The secrets in a file of the form of `secrets.json`. @throws BackupError that names the file, never what is in it */
export function readSecretsFile(path: string): Secrets {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const { code = 'not a JSON object of strings' } = cause as NodeJS.ErrnoException;
    throw new BackupError(
      `The secrets in ${path} cannot be read (${code}): name the file secrets.json of the registry.`,
    );
  }
}

const keyNames = ['PERSONAL_DATA_KEY', 'PERSONAL_DATA_KEY_PREVIOUS'];

/** The keys of personal data as the registry has them: those that the environment sets count instead of those of the file. */
export function countingSecrets(ofFile: Secrets | null, env: NodeJS.ProcessEnv): Secrets | null {
  const given = keyNames.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return given.length === 0 ? ofFile : { ...ofFile, ...(Object.fromEntries(given) as Secrets) };
}
