import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { StackError } from './stack-error.ts';

const secretBytes = 32;

/** The stack's secrets, by the names of their environment variables. */
export type Secrets = Readonly<Record<string, string>>;

const readKept = (file: string): Record<string, string> => {
  if (!existsSync(file)) return {};
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept === 'object' && kept !== null && Object.values(kept).every((value) => typeof value === 'string'))
      return kept as Record<string, string>;
  } catch {
    // Reported below.
  }
  throw new StackError(
    `${file} cannot be read (it must be a JSON object of strings): restore it, or remove it to have new credentials made`,
  );
};

/** nats-server parses a password variable as a value of its configuration language, where a text that starts like a number is invalid. */
const newSecret = (name: string): string =>
  `${name.endsWith('_PASSWORD') ? 'pw' : ''}${randomBytes(secretBytes).toString('base64url')}`;

/** Reads the secrets in `file`, generates the missing ones of `names`, and stores them for the next start. Readable only by the owner. */
export function keepSecrets(file: string, names: readonly string[]): Secrets {
  const kept = readKept(file);
  const missing = names.filter((name) => kept[name] === undefined || kept[name] === '');
  if (missing.length > 0) {
    for (const name of missing) kept[name] = newSecret(name);
    const incoming = `${file}.incoming`;
    writeFileSync(incoming, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(incoming, file);
  }
  chmodSync(file, 0o600);
  return kept;
}
