import type { PublicAgent, Universe, VerdictClaims } from '@agent-trust/contracts';
import { CompactSign, importPKCS8 } from 'jose';
import {
  type Checkpoint,
  checkpointText,
  formatVerifierKey,
  noteSigner,
  parseVerifierKey,
  signatureTypes,
  signNote,
  toHex,
} from '@agent-trust/transparency-log';

/** The log's name and key: what it is known by to those who verify it. */
export type LogIdentity = {
  origin: string;
  /** The public key as those read it who open signed notes (C2SP signed-note). */
  verifierKey: string;
  /** The same of every key that signs checkpoints: this one, and while it is replaced another one. */
  verifierKeys: readonly string[];
  /** The same text for the same head, whoever signs: Ed25519 has no randomness. */
  signCheckpoint(head: Pick<Checkpoint, 'size' | 'root'>): Promise<string>;
  /** A compact JWS (RFC 7515) over the claims. */
  signVerdict(claims: Record<string, unknown>): Promise<string>;
};

/** Type of a signed verdict (RFC 7515 §4.1.9): nothing else that is signed with this key passes for one. */
export const verdictType = 'agent-trust-verdict+jwt';

/** DER of PKCS #8 around an Ed25519 seed (RFC 8410 §7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The identity of the log of this origin; a seed has 32 bytes. Checkpoints carry a signature by the previous key, too, if there is one. One key signs checkpoints and verdicts. Neither passes for the other: the
 * signed text of a checkpoint has newlines, that of a JWS has none.
 */
export async function logIdentity(origin: string, seed: Uint8Array, previousSeed?: Uint8Array): Promise<LogIdentity> {
  const signer = await noteSigner(origin, seed, signatureTypes.ed25519);
  const previous = previousSeed === undefined ? [] : [await noteSigner(origin, previousSeed, signatureTypes.ed25519)];
  const pkcs8 = Buffer.concat([pkcs8Prefix, seed]).toString('base64');
  const privateKey = await importPKCS8(`-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`, 'EdDSA');
  const { keyId } = signer.key;
  return {
    origin,
    verifierKey: formatVerifierKey(signer.key),
    verifierKeys: [signer, ...previous].map(({ key }) => formatVerifierKey(key)),
    signCheckpoint: (head) => signNote(checkpointText({ origin, ...head }), signer, ...previous),
    signVerdict: (claims) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: verdictType })
        .sign(privateKey),
  };
}

/** A public key as those read it who verify a signed verdict (RFC 8037). */
export type SigningJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; alg: 'EdDSA'; use: 'sig' };

export function jwkOf(verifierKey: string): SigningJwk {
  const { publicKey, keyId } = parseVerifierKey(verifierKey);
  const x = Buffer.from(publicKey).toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid: keyId, alg: 'EdDSA', use: 'sig' };
}

/** What a signed verdict says of an agent, and of the log that it was computed from. */
export function verdictClaims(facts: {
  origin: string;
  agent: Pick<PublicAgent, 'agentId' | 'trustScore' | 'trustPolicy' | 'recommendedAction'>;
  universe: Universe;
  position: bigint;
  checkpoint: Pick<Checkpoint, 'size' | 'root'>;
  now: Date;
}): VerdictClaims {
  return {
    iss: facts.origin,
    iat: Math.floor(facts.now.getTime() / 1_000),
    agent_id: facts.agent.agentId,
    universe: facts.universe.kind,
    trust_score: facts.agent.trustScore,
    trust_policy: facts.agent.trustPolicy,
    recommended_action: facts.agent.recommendedAction,
    position: String(facts.position),
    log: { origin: facts.origin, size: facts.checkpoint.size, root: toHex(facts.checkpoint.root) },
  };
}
