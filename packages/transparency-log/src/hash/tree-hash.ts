import { sha256 } from '#sha256';

/** Bytes of every hash of the tree. */
export const hashBytes = 32;

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** The root of a tree without leaves: SHA-256 of nothing (RFC 6962 §2.1). */
export const emptyRoot: Uint8Array = sha256(new Uint8Array());

/** Hash of a leaf that holds `bytes`: SHA-256(0x00 ‖ bytes) (RFC 6962 §2.1). */
export function leafHashOfBytes(bytes: Uint8Array): Uint8Array {
  return sha256(leafPrefix, bytes);
}

/** Hash of the node above two others: SHA-256(0x01 ‖ left ‖ right) (RFC 6962 §2.1). Its prefix keeps a node from passing for a leaf. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(nodePrefix, left, right);
}

export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
