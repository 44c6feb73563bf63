import { open } from 'node:fs/promises';
import { BadPolicyError, parsePolicy, type TrustPolicy } from '@agent-trust/trust-policy';

/** A policy has some 400 bytes; a file of more than this is another one, given by mistake. */
const policyFileBytesMax = 65_536;

/**
 * Reads a policy from a file.
 *
 * @returns null when there is no such file
 * @throws BadPolicyError that names the file and everything that is wrong with it
 */
export async function readPolicyFile(path: string): Promise<TrustPolicy | null> {
  const text = await readText(path);
  if (text === null) return null;
  const fault = (message: string): BadPolicyError => new BadPolicyError(`${path}: ${message}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    // The message quotes the file, which may hold what commands a terminal.
    throw fault(`is not JSON (${(error as SyntaxError).message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')})`);
  }
  try {
    return parsePolicy(json);
  } catch (error) {
    if (!(error instanceof BadPolicyError)) throw error;
    throw fault(`is not a trust policy:\n${error.message.replaceAll(/^/gm, '  ')}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const readText = async (path: string): Promise<string | null> => {
  const fault = (message: string): BadPolicyError => new BadPolicyError(`${path}: ${message}`);
  const file = await open(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw fault(`cannot be read (${code ?? String(error)})`);
  });
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) throw fault('is not a file');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(policyFileBytesMax + 1), 0);
    if (bytesRead > policyFileBytesMax) throw fault(`is longer than ${policyFileBytesMax} bytes`);
    return utf8.decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof TypeError) throw fault('is not UTF-8');
    throw error;
  } finally {
    await file.close();
  }
};
