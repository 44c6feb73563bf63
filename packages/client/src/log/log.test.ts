import { createPrivateKey } from 'node:crypto';
import {
  appendLeaf,
  checkpointText,
  consistencyProof,
  cosign,
  emptyFrontier,
  formatVerifierKey,
  frontierRoot,
  inclusionProof,
  type LogEntry,
  leafHash,
  noteSigner,
  signatureTypes,
  signNote,
  type TreeNode,
  toHex,
} from '@agent-trust/transparency-log';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { openCheckpoint } from './checkpoint.ts';
import { LogProofError } from './log-proof-error.ts';
import { verifyConsistency } from './verify-consistency.ts';
import { type ReviewReceiptLike, verifyInclusion, verifyReceipt } from './verify-inclusion.ts';
import { verifySignedVerdict } from './verify-signed-verdict.ts';

const origin = 'registry.example/log';
const seed = new Uint8Array(32).fill(7);
const log = await noteSigner(origin, seed, signatureTypes.ed25519);
const witness = await noteSigner('witness.example/w', new Uint8Array(32).fill(8), signatureTypes.cosignatureV1);
const trust = { logKey: formatVerifierKey(log.key) };
const failure = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return 'held';
  } catch (error) {
    return error instanceof LogProofError ? error.code : error;
  }
};

const entries: LogEntry[] = Array.from({ length: 9 }, (_, index) => ({
  position: String(index + 1),
  event_id: `event-${index}`,
  stream: `exchange-tx-${index}`,
  revision: '2',
  type: 'ExchangeReviewed',
  recorded_at: '2026-01-01T00:00:00.000Z',
  metadata: { actor: { kind: 'agent', id: 'buyer' } },
  data: {
    transactionId: `tx-${index}`,
    callerAgentId: 'buyer',
    receiverAgentId: 'seller',
    universe: { kind: 'production' },
    score: index,
  },
}));
const nodes = new Map<string, Uint8Array>();
const roots: Uint8Array[] = [];
let frontier = emptyFrontier;
for (const entry of entries) {
  roots.push(frontierRoot(frontier));
  frontier = appendLeaf(frontier, leafHash(entry), (level, index, hash) => nodes.set(`${level}/${index}`, hash));
}
roots.push(frontierRoot(frontier));
const read = (wanted: readonly TreeNode[]): Promise<Uint8Array[]> =>
  Promise.resolve(wanted.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? new Uint8Array()));
const noteAt = (size: number, name = origin): Promise<string> =>
  signNote(checkpointText({ origin: name, size, root: roots[size] ?? new Uint8Array(32) }), log);
const receiptOf = async (index: number, size = 9): Promise<ReviewReceiptLike> => ({
  agent_id: 'seller',
  transaction_id: `tx-${index}`,
  entry: entries[index] as LogEntry,
  leaf_index: String(index),
  leaf_hash: toHex(leafHash(entries[index] as LogEntry)),
  hashes: (await inclusionProof(index, size, read)).map(toHex),
  size,
  checkpoint: await noteAt(size),
});

describe('a receipt', () => {
  it('proves its review, for each position, given as a number or as digits', async () => {
    for (let index = 0; index < 9; index += 1) {
      const receipt = await receiptOf(index);
      const { index: at, universe, checkpoint } = await verifyReceipt(receipt, trust);
      expect([at, universe, checkpoint.size, checkpoint.origin]).toEqual([index, 'production', 9, origin]);
      await verifyReceipt({ ...receipt, leaf_index: index }, trust);
    }
  });

  it('proves nothing once any part of it belongs to another', async () => {
    const receipt = await receiptOf(4);
    const changed: [Partial<ReviewReceiptLike>, string][] = [
      [{ entry: { ...receipt.entry, data: { ...receipt.entry.data, score: 10 } } }, 'wrong_leaf'],
      [{ leaf_hash: 'ab'.repeat(32) }, 'wrong_leaf'],
      [{ entry: null as unknown as LogEntry }, 'wrong_leaf'],
      [{ leaf_index: '5' }, 'wrong_inclusion'],
      [{ hashes: receipt.hashes.toReversed() }, 'wrong_inclusion'],
      [{ size: 8 }, 'wrong_inclusion'],
      [{ checkpoint: await noteAt(8) }, 'wrong_inclusion'],
      [{ checkpoint: receipt.checkpoint.replace('\n9\n', '\n8\n') }, 'wrong_signature'],
      [{ checkpoint: 'x' }, 'malformed_checkpoint'],
      [{ transaction_id: 'tx-5' }, 'wrong_subject'],
      [{ agent_id: 'buyer' }, 'wrong_subject'],
      [{ hashes: ['zz'] }, 'malformed_proof'],
      [{ hashes: Array.from({ length: 500 }, () => 'ab'.repeat(32)) }, 'malformed_proof'],
      [{ leaf_index: '-1' }, 'malformed_proof'],
    ];
    for (const [change, code] of changed)
      expect([change, await failure(() => verifyReceipt({ ...receipt, ...change }, trust))]).toEqual([change, code]);
    for (const none of [null, undefined, 'receipt'] as unknown as ReviewReceiptLike[])
      expect(await failure(() => verifyReceipt(none, trust))).toBe('malformed_proof');
  });

  it('returns what it proves, and nothing that was added', async () => {
    const receipt = await receiptOf(4);
    const entry = { ...receipt.entry, score: 10 };
    expect((await verifyReceipt({ ...receipt, entry }, trust)).entry).toEqual(receipt.entry);
  });

  it('proves nothing to a reader with another key', async () => {
    const other = await noteSigner(origin, new Uint8Array(32).fill(9), signatureTypes.ed25519);
    const receipt = await receiptOf(4);
    expect(await failure(() => verifyReceipt(receipt, { logKey: formatVerifierKey(other.key) }))).toBe('unknown_key');
    expect(await failure(() => verifyReceipt(receipt, { logKey: 'key' }))).toBe('malformed_key');
    expect(await failure(() => verifyReceipt(receipt, { ...trust, origin: 'other.example' }))).toBe('wrong_origin');
  });
});

describe('a leaf hash alone', () => {
  it('is proven to be in the tree', async () => {
    const proof = await receiptOf(2);
    verifyInclusion(proof, null, await openCheckpoint(await noteAt(9), trust));
    expect(await failure(() => verifyInclusion(proof, null, { size: 9, root: 'ab'.repeat(32) }))).toBe(
      'wrong_inclusion',
    );
  });
});

describe('a checkpoint', () => {
  it('counts with the required number of witnesses', async () => {
    const note = await noteAt(9);
    const cosigned = `${note}${await cosign(note.split('\n\n')[0] + '\n', witness, 1_700_000_000)}`;
    const wanted = { ...trust, witnessKeys: [formatVerifierKey(witness.key)], cosignaturesMin: 1 };
    expect((await openCheckpoint(cosigned, wanted)).cosignatures).toEqual([
      { name: 'witness.example/w', at: new Date('2023-11-14T22:13:20Z') },
    ]);
    expect(await failure(() => openCheckpoint(note, wanted))).toBe('unknown_key');
    expect(await failure(() => openCheckpoint(cosigned, { ...trust, cosignaturesMin: 1 }))).toBe('unknown_key');
    // Bug: nothing is less than NaN, so no witness was enough.
    for (const cosignaturesMin of [Number.NaN, -1, '1' as unknown as number])
      await expect(openCheckpoint(note, { ...wanted, cosignaturesMin })).rejects.toThrow(TypeError);
  });

  it('is proven to start with an earlier one', async () => {
    const later = await openCheckpoint(await noteAt(9), trust);
    for (let from = 0; from <= 9; from += 1) {
      const earlier = await openCheckpoint(await noteAt(from), trust);
      const proof = { from, to: 9, hashes: (await consistencyProof(from, 9, read)).map(toHex) };
      expect(await failure(() => verifyConsistency(earlier, later, proof))).toBe('held');
    }
  });

  it('that was rolled back, forked or rewritten is refused', async () => {
    const [earlier, later] = [
      await openCheckpoint(await noteAt(4), trust),
      await openCheckpoint(await noteAt(9), trust),
    ];
    const proof = { from: 4, to: 9, hashes: (await consistencyProof(4, 9, read)).map(toHex) };
    expect(await failure(() => verifyConsistency(later, earlier, proof))).toBe('rolled_back');
    expect(await failure(() => verifyConsistency(later, { ...later, root: 'ab'.repeat(32) }, null))).toBe('split_view');
    expect(await failure(() => verifyConsistency({ ...earlier, root: 'ab'.repeat(32) }, later, proof))).toBe(
      'wrong_consistency',
    );
    expect(await failure(() => verifyConsistency(earlier, later, { ...proof, from: 3 }))).toBe('wrong_consistency');
    expect(await failure(() => verifyConsistency(earlier, later, { ...proof, hashes: [] }))).toBe('wrong_consistency');
    expect(await failure(() => verifyConsistency(earlier, later, null))).toBe('malformed_proof');
    expect(await failure(() => verifyConsistency({ ...earlier, origin: 'other' }, later, proof))).toBe('wrong_origin');
    verifyConsistency(later, later, null);
  });
});

describe('a signed verdict', () => {
  const claims = {
    iss: 'https://registry.example',
    iat: 1_700_000_000,
    agent_id: 'seller',
    universe: 'production',
    trust_score: 71,
    trust_policy: 'v1',
    recommended_action: 'proceed',
    position: '9',
    log: { origin, size: 9, root: toHex(roots[9] ?? new Uint8Array()) },
  };
  const header = { alg: 'EdDSA', kid: log.key.keyId, typ: 'agent-trust-verdict+jwt' };
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  /** As signed by a JOSE library. */
  const sign = (over: object = {}, by: object = {}): Promise<string> =>
    new CompactSign(new TextEncoder().encode(JSON.stringify({ ...claims, ...over })))
      .setProtectedHeader({ ...header, ...by })
      .sign(key);
  const at = { agentId: 'seller', nowSeconds: 1_700_000_060, maxAgeSeconds: 300 };

  it('states what was signed', async () => {
    expect(await verifySignedVerdict(await sign(), trust, at)).toEqual(claims);
  });

  // Bug: nothing is older than NaN, so a verdict of any age held.
  it('is compared only with an age and a time that are numbers', async () => {
    const jws = await sign();
    const withoutLimit = { agentId: 'seller', nowSeconds: 2_000_000_000, maxAgeSeconds: Number.POSITIVE_INFINITY };
    expect(await verifySignedVerdict(jws, trust, withoutLimit)).toEqual(claims);
    for (const wrong of [{ maxAgeSeconds: Number.NaN }, { maxAgeSeconds: -1 }, { nowSeconds: Number.NaN }])
      await expect(verifySignedVerdict(jws, trust, { ...at, ...wrong })).rejects.toThrow(TypeError);
  });

  it('for another agent, log, key, kind or time proves nothing', async () => {
    const of = async (jws: Promise<string> | string, expected: object = {}): Promise<unknown> =>
      await failure(async () => await verifySignedVerdict(await jws, trust, { ...at, ...expected }));
    expect(await of(sign(), { agentId: 'seller2' })).toBe('wrong_subject');
    // Whoever has a sandbox has signed verdicts of 75 on agents of its own.
    expect(await of(sign({ universe: 'sandbox' }))).toBe('wrong_universe');
    expect(await of(sign(), { universe: 'sandbox' })).toBe('wrong_universe');
    expect(await of(sign({ universe: undefined }))).toBe('wrong_universe');
    expect(await of(sign({ universe: 'sandbox' }), { universe: 'sandbox' })).toBe('held');
    expect(await of(sign({ log: { ...claims.log, origin: 'other' } }))).toBe('wrong_origin');
    expect(await of(sign({}, { kid: '00000000' }))).toBe('unknown_key');
    expect(await of(sign({}, { typ: 'JWT' }))).toBe('malformed_verdict');
    expect(await of(sign({ log: null }))).toBe('malformed_verdict');
    expect(await of(sign(), { nowSeconds: 1_700_000_301 })).toBe('verdict_too_old');
    expect(await of(sign(), { nowSeconds: 1_699_999_000 })).toBe('verdict_too_old');
    const jws = await sign();
    const [head = '', body = '', signature = ''] = jws.split('.');
    const better = Buffer.from(JSON.stringify({ ...claims, trust_score: 99 })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
    expect(await of(`${head}.${better}.${signature}`)).toBe('wrong_signature');
    expect(await of(`${none}.${body}.`)).toBe('malformed_verdict');
    expect(await of(`${jws}=`)).toBe('malformed_verdict');
    expect(await of(jws.replaceAll('_', '/').replaceAll('-', '+'))).toMatch(/^(?:malformed_verdict|held)$/u);
    expect(await of(`${head}.${body}`)).toBe('malformed_verdict');
    expect(await of('x'.repeat(20_000))).toBe('malformed_verdict');
  });
});
