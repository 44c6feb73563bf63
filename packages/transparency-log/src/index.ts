export { canonicalJson } from './entry/canonical-json.ts';
export { canonicalBytes, type LogEntry, leafHash, logEntryOf, type RecordedEventLike } from './entry/log-entry.ts';
export { fromBase64, fromHex, toBase64, toHex } from './hash/encoding.ts';
export { emptyRoot, hashBytes, leafHashOfBytes, nodeHash, sameHash } from './hash/tree-hash.ts';
export {
  type Checkpoint,
  type CheckpointTrust,
  checkpointText,
  cosignaturesOf,
  type OpenedCheckpoint,
  openCheckpoint,
  parseCheckpointText,
} from './note/checkpoint.ts';
export { ed25519KeyPair, signEd25519, verifyEd25519 } from './note/ed25519.ts';
export { NoteError, type NoteErrorCode } from './note/note-error.ts';
export { cosign, type NoteSigner, noteSigner, signNote } from './note/note-signer.ts';
export { type OpenedNote, openNote, type VerifiedSignature } from './note/open-note.ts';
export { type NoteSignature, noteCharsMax, parseNote, type SignedNote } from './note/signed-note.ts';
export {
  formatVerifierKey,
  parseVerifierKey,
  type SignatureType,
  signatureTypes,
  type VerifierKey,
  verifierKey,
} from './note/verifier-key.ts';
export { parseTilePath, type Tile, tileHeight, tileInTree, tilePath, tileWidth } from './tiles/tile.ts';
export { type ReadTile, tileHashes } from './tiles/tile-hashes.ts';
export {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierBytes,
  frontierOf,
  frontierRoot,
  subtreeCount,
} from './tree/frontier.ts';
export { consistencyProof, inclusionProof } from './tree/prove.ts';
export { type ReadHashes, type TreeNode, treeRoot } from './tree/subtrees.ts';
export {
  type ConsistencyClaim,
  type InclusionClaim,
  proofHashesMax,
  verifyConsistency,
  verifyInclusion,
} from './tree/verify.ts';
