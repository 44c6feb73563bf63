import { fromHex, hashBytes, proofHashesMax } from '@agent-trust/transparency-log';
import { LogProofError } from './log-proof-error.ts';

/**
 * A number to compare with. NaN is neither more nor less than anything, so every comparison with it would pass.
 *
 * @throws TypeError for anything but a number from 0 on
 */
export function bound(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return value;
}

/** A hash of an answer. @throws LogProofError `malformed_proof` */
export function readHash(text: unknown, name: string): Uint8Array {
  try {
    const bytes = fromHex(String(text));
    if (bytes.length === hashBytes) return bytes;
  } catch {
    // Reported below.
  }
  throw new LogProofError('malformed_proof', `${name} is not a SHA-256 in hexadecimal`);
}

export function readHashes(texts: unknown): Uint8Array[] {
  if (!Array.isArray(texts) || texts.length > proofHashesMax)
    throw new LogProofError('malformed_proof', `hashes is not a list of at most ${proofHashesMax} hashes`);
  return texts.map((text) => readHash(text, 'one of hashes'));
}

/** A count of leaves: a number or, as for positions, a text of digits. */
export function readCount(value: unknown, name: string): number {
  const count = typeof value === 'string' && /^(?:0|[1-9]\d*)$/u.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new LogProofError('malformed_proof', `${name} is not a count`);
  return count;
}
