import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AnyTrustPolicy, BadPolicyError, canonicalPolicy, parsePolicy } from '@agent-trust/trust-policy';
import { policiesByName } from '../../projector/activated-policies.ts';

/** The policy of a file at that path, relative to `folder`, else of that name. The BadPolicyError says what is wrong and which policies exist. */
export async function findPolicy(
  given: string,
  activated: readonly AnyTrustPolicy[],
  folder: string,
): Promise<AnyTrustPolicy> {
  const known = policiesByName(activated);
  const path = resolve(folder, given);
  const fromFile = await readPolicyFile(path);
  if (fromFile === null) {
    const named = known.get(given);
    if (named !== undefined) return named;
    throw new BadPolicyError(
      `${JSON.stringify(given)} is neither a file (${path}) nor the name of a policy; known are ${[...known.keys()].join(', ')}`,
    );
  }
  const earlier = known.get(fromFile.name);
  if (earlier !== undefined && canonicalPolicy(earlier) !== canonicalPolicy(fromFile)) {
    throw new BadPolicyError(
      `${path}: the name ${fromFile.name} belongs to a policy with other constants; choose another name`,
    );
  }
  return fromFile;
}

/** A policy has some 400 bytes; a file of more than this is another one, given by mistake. */
const policyFileBytesMax = 65_536;

/** The policy of a file; null if there is no such file. The error names the file and everything that is wrong with it. */
const readPolicyFile = async (path: string): Promise<AnyTrustPolicy | null> => {
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
};

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
