import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { refuseIfOpenToOthers } from './config-file.ts';

/** A public key as the registry takes it: base64url of its 32 bytes. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return x;
}

/**
 * Makes an Ed25519 key in a new file that only its owner may read (PKCS #8 in PEM; RFC 5958, RFC 8410) and returns the public key.
 * @throws UsageError if the file exists already, or cannot be created.
 */
export function makeKeyFile(path: string): string {
  if (path === '' || path === '-')
    throw new UsageError('name the new file: a private key is never written to standard output');
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    // Exclusive: neither an older key nor the target of a link is ever overwritten.
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(path, pem, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST'
        ? `${path} exists already, and a key is never overwritten: name another file`
        : `${path} cannot be made (${code}): name a file in a folder that can be written`,
      { cause: error },
    );
  }
  return publicKeyText(privateKey);
}

/**
 * The private key in a file, PKCS #8 in PEM as of `openssl genpkey -algorithm ed25519`. @throws UsageError if it is unreadable, open to others or
 * another key.
 */
export function readKeyFile(path: string): KeyObject {
  let text: string;
  try {
    refuseIfOpenToOthers(path, 'The key file');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The key file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`, {
      cause: error,
    });
  }
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without any content of the file.
  }
  throw new UsageError(`${path} is no Ed25519 private key in PEM: make one with "agent-trust keygen"`);
}
