export * from './entry/log-entry.ts';
export * from './hash/encoding.ts';
export * from './hash/tree-hash.ts';
export * from './note/checkpoint.ts';
export {
  cosign,
  type NoteSigner,
  noteSigner,
  type OpenedNote,
  openNote,
  signNote,
  verifyEd25519,
} from './note/open-note.ts';
export { NoteError, type NoteErrorCode, type NoteSignature, parseNote } from './note/signed-note.ts';
export * from './note/verifier-key.ts';
export * from './tiles/tile.ts';
export * from './tree/frontier.ts';
export { consistencyProof, inclusionProof, type ReadHashes, type TreeNode, treeRoot } from './tree/prove.ts';
export * from './tree/verify.ts';
