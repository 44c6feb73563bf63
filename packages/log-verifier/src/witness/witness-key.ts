import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { NoteError, type NoteSigner, noteSigner, signatureTypes } from '@agent-trust/transparency-log';
import { ArgumentsError } from '@agent-trust/command-line';

/**
 * The witness's signer, whose Ed25519 key is in a file that its owner alone may read: PKCS #8 in PEM.
 *
 * @throws ArgumentsError when the name is none that a key can have, the file cannot be read, is open to others or holds no such key; never with a word of what is in it
 */
export async function readWitnessKey(path: string, name: string): Promise<NoteSigner> {
  if (!existsSync(path)) throw new ArgumentsError(`The key file ${path} is not there: make it with --new-key.`);
  const { mode } = statSync(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new ArgumentsError(
      `The key file ${path} is open to others (mode ${(mode & 0o777).toString(8)}): run "chmod 600 ${path}", and make another key if anybody else uses this machine.`,
    );
  try {
    return await noteSigner(name, seedOf(path), signatureTypes.cosignatureV1);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new ArgumentsError(`The witness cannot be named so: ${error.message}.`, { cause: error });
  }
}

const seedOf = (path: string): Uint8Array => {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'));
    const { d } = key.export({ format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519' && d !== undefined) return new Uint8Array(Buffer.from(d, 'base64url'));
  } catch {
    // Reported below, without a word of what is in the file.
  }
  throw new ArgumentsError(`${path} is no Ed25519 private key in PEM.`);
};

/** Makes a key in a new file that its owner alone may read. An older key is never written over. */
export function makeWitnessKey(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw new ArgumentsError(`The key file ${path} cannot be made: is it there already?`, { cause });
  }
  try {
    writeSync(file, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
