import { existsSync, readFileSync } from 'node:fs';
import { ArgumentsError } from '@agent-trust/command-line';
import { NoteError, parseVerifierKey, signatureTypes, type VerifierKey } from '@agent-trust/transparency-log';
import { fetchBytes, UnreachableError } from './fetch-bytes.ts';

const utf8 = new TextDecoder();

/** The text of a checkpoint. One that is no UTF-8 is refused later, with its line. */
export async function noteOf(source: string): Promise<string> {
  if (/^https?:\/\//u.test(source)) return utf8.decode(await fetchBytes(source));
  try {
    return readFileSync(source, 'utf8');
  } catch (cause) {
    throw new ArgumentsError(`The checkpoint ${source} cannot be read.`, { cause });
  }
}

/** The verifier key that an option gives, or names a file of. @throws ArgumentsError */
export function keyOf(given: string, option = '--key'): VerifierKey {
  try {
    return parseVerifierKey(existsSync(given) ? readFileSync(given, 'utf8') : given);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new ArgumentsError(`The key of ${option} cannot be used: ${error.message}.`, { cause: error });
  }
}

/** The same, of a witness. @throws ArgumentsError */
export function witnessKeyOf(given: string): VerifierKey {
  const key = keyOf(given, '--witness-key');
  if (key.type === signatureTypes.cosignatureV1) return key;
  throw new ArgumentsError(
    `The key of ${key.name} is no witness's: --witness-key takes the one that npm run log:witness prints ("Cosigned as …").`,
  );
}

/** The verifier keys that a registry publishes, the present one first. @throws ArgumentsError without one, UnreachableError */
export async function keysOfRegistry(registryUrl: string | undefined): Promise<[VerifierKey, ...VerifierKey[]]> {
  if (registryUrl === undefined) throw new ArgumentsError('No key to verify signatures by: give --key or --registry.');
  const url = `${registryUrl}/log/key`;
  const bytes = await fetchBytes(url);
  try {
    const answer = JSON.parse(utf8.decode(bytes)) as {
      verifier_key?: unknown;
      keys?: { verifier_key?: unknown }[];
    };
    const present = String(answer.verifier_key);
    const others = (answer.keys ?? []).map((key) => String(key.verifier_key)).filter((key) => key !== present);
    return [parseVerifierKey(present), ...others.map(parseVerifierKey)];
  } catch (cause) {
    throw new UnreachableError(`${url} answered no verifier key`, 200, { cause });
  }
}
