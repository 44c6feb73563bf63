import type { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import type { consistencyProofWire, inclusionProofWire, logKeyWire, receiptWire, reviewLeafWire } from './wire.ts';

const eventId = '0199c2f4-7b02-7d1e-8f10-2a3b4c5d6e7f';
const leafHash = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
const path = [
  '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',
  '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7',
];
const earlierRoot = '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5';
const root = '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8';

export const exampleCheckpoint =
  'registry.example/log\n4\nT8grJq7LR9KGjE77416HMqPny8xsLvsyBiwIFwoF7rg=\n\n' +
  '— registry.example/log 6vUfYDfFBA8ibGq6i7MfZbSWpS6aPUQlMTHdrmPKxXSjzmXU2uvSJ3LPb1tCGaVMfhzFHOtSf3ZTVPCVU7nPdxEPAAA=\n';

const inclusion = { leaf_index: '2', leaf_hash: leafHash, hashes: path, size: 4, root, checkpoint: exampleCheckpoint };

export const exampleInclusionProof: z.infer<typeof inclusionProofWire> = inclusion;

export const exampleConsistencyProof: z.infer<typeof consistencyProofWire> = {
  from: 3,
  from_root: earlierRoot,
  to: 4,
  to_root: root,
  hashes: path,
  checkpoint: exampleCheckpoint,
};

const exampleKey = {
  verifier_key: 'registry.example/log+eaf51f60+AdgU6zG7rZ0L0Rh7bF0F4l2Qd8Y1sNw1q3m5v7x9z1A=',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '2BTrMbutnQvRGHtsXQXiXZB3xjWw3DWrebm_vH3PXUA',
    kid: 'eaf51f60',
    alg: 'EdDSA',
    use: 'sig',
  },
} as const;

export const exampleLogKey: z.infer<typeof logKeyWire> = {
  origin: 'registry.example/log',
  ...exampleKey,
  keys: [{ ...exampleKey, signs_since: '2026-01-15T09:00:00.000Z', signed_until: null }],
};

export const exampleReceipt: z.infer<typeof receiptWire> = {
  agent_id: exampleIds.translator,
  transaction_id: exampleIds.transaction,
  entry: {
    position: '1043',
    event_id: eventId,
    stream: `exchange-${exampleIds.transaction}`,
    revision: '2',
    type: 'ExchangeReviewed',
    recorded_at: '2026-01-15T09:31:00.120Z',
    metadata: { actor: { kind: 'agent', id: exampleIds.buyer }, schemaVersion: 2 },
    data: {
      transactionId: exampleIds.transaction,
      callerAgentId: exampleIds.buyer,
      receiverAgentId: exampleIds.translator,
      universe: { kind: 'production' },
      success: true,
      score: 9,
      reviewer: {
        orgId: 'acme',
        orgDomain: 'acme.example',
        trustScore: 75,
        roots: { 'acme.example': 1 },
        asOf: '1040',
      },
      reviewedAt: '2026-01-15T09:31:00.000Z',
    },
  },
  ...inclusion,
};

export const exampleReviewLeaf: z.infer<typeof reviewLeafWire> = {
  transaction_id: exampleIds.transaction,
  position: '1043',
  leaf_index: '2',
  leaf_hash: leafHash,
};

/** A compact JWS, shortened. */
export const exampleVerdict = 'eyJhbGciOiJFZERTQSIsImtpZCI6ImVhZjUxZjYwIn0.eyJhZ2VudF9pZCI6Imdsb2JleCJ9.c2lnbmF0dXJl';
