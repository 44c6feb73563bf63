import { verifyEd25519 } from '@agent-trust/transparency-log';
import { fromBase64, toBase64Url, utf8 } from '../bytes.ts';
import { bound } from './read-proof.ts';
import { type LogTrust, readKey } from './checkpoint.ts';
import { LogProofError } from './log-proof-error.ts';

/** A registry's signed statement on an agent, at one time and one state of its log. */
export type SignedVerdict = {
  iss: string;
  /** Time of signing, in seconds. */
  iat: number;
  agent_id: string;
  universe: string;
  trust_score: number;
  trust_policy: string;
  recommended_action: string;
  /** Log position up to which it was computed. */
  position: string;
  /** The newest signed tree of the log at that time. */
  log: { origin: string; size: number; root: string };
};

export type VerdictExpectations = {
  /** The expected agent: a verdict on another one is refused. */
  agentId: string;
  /**
   * The expected universe, by default production: in its sandbox an organisation registers agents as it likes, each with the score of a trusted
   * one, so a verdict of a sandbox says nothing about production.
   */
  universe?: 'production' | 'sandbox';
  /** Longest age in seconds; by default any age. */
  maxAgeSeconds?: number;
  /** Seconds since 1970; by default the clock of this machine. */
  nowSeconds?: number;
};

const verdictType = 'agent-trust-verdict+jwt';
/** Longest verdict that is read. */
const verdictCharsMax = 16_384;
/** How far the registry's clock may be ahead of this machine's. */
const clockSkewSeconds = 60;

/**
 * Verifies a signed verdict, `signed_verdict` of POST /verify?signed=true: a compact JWS (RFC 7515) with Ed25519 (RFC 8037), offline.
 *
 * @throws LogProofError `malformed_verdict`, `unknown_key`, `wrong_signature`, `wrong_origin`, `wrong_subject` (of another agent),
 *   `wrong_universe`, `verdict_too_old` (or from the future); TypeError for an age or a time that is no number
 */
export async function verifySignedVerdict(
  jws: string,
  trust: Pick<LogTrust, 'logKey' | 'otherLogKeys' | 'origin'>,
  expected: VerdictExpectations,
): Promise<SignedVerdict> {
  const presentKey = readKey(trust.logKey);
  const keys = [presentKey, ...(trust.otherLogKeys ?? []).map(readKey)];
  const now = bound('nowSeconds', expected.nowSeconds ?? Date.now() / 1000);
  const maxAge = bound('maxAgeSeconds', expected.maxAgeSeconds ?? Number.POSITIVE_INFINITY);
  const parts = typeof jws === 'string' && jws.length <= verdictCharsMax ? jws.split('.') : [];
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) throw malformed('it is not a compact JWS');
  const { alg, typ, kid, crit } = jsonPart(header);
  if (alg !== 'EdDSA' || typ !== verdictType || crit !== undefined) throw malformed('its header is another kind’s');
  const key = keys.find(({ keyId }) => keyId === kid);
  if (key === undefined)
    throw new LogProofError(
      'unknown_key',
      `the verdict is signed by key ${String(kid)}, not by ${presentKey.name} (key ${keys.map(({ keyId }) => keyId).join(', ')})`,
    );
  if (!(await verifyEd25519(key.publicKey, bytesOf(signature), utf8(`${header}.${payload}`))))
    throw new LogProofError('wrong_signature', 'the signature of the verdict does not fit it');
  const verdict = jsonPart(payload) as Partial<SignedVerdict>;
  const { iat, agent_id: agentId, log, trust_score: score } = verdict;
  if (
    typeof iat !== 'number' ||
    typeof agentId !== 'string' ||
    typeof score !== 'number' ||
    typeof log?.origin !== 'string'
  )
    throw malformed('it lacks fields of a verdict');
  const origin = trust.origin ?? presentKey.name;
  if (log.origin !== origin)
    throw new LogProofError('wrong_origin', `the verdict is of log ${log.origin}, not of ${origin}`);
  if (agentId !== expected.agentId)
    throw new LogProofError('wrong_subject', `the verdict is on ${agentId}, not on ${expected.agentId}`);
  const universe = expected.universe ?? 'production';
  if (verdict.universe !== universe)
    throw new LogProofError(
      'wrong_universe',
      `the verdict is on ${agentId} in the universe ${String(verdict.universe)}, not in ${universe}`,
    );
  const age = now - iat;
  if (age < -clockSkewSeconds) throw new LogProofError('verdict_too_old', 'the verdict is dated in the future');
  if (age > maxAge) throw new LogProofError('verdict_too_old', `the verdict was signed ${Math.floor(age)} seconds ago`);
  return verdict as SignedVerdict;
}

/** Decodes base64url without padding, only in canonical form: two spellings would be two texts for one signature. */
const bytesOf = (part: string): Uint8Array => {
  const bytes = fromBase64(part);
  if (bytes === null || toBase64Url(bytes) !== part) throw malformed('a part of it is not base64url');
  return bytes;
};

const jsonPart = (part: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof LogProofError) throw error;
  }
  throw malformed('a part of it is not a JSON object');
};

const malformed = (why: string): LogProofError =>
  new LogProofError('malformed_verdict', `this is no signed verdict: ${why}`);
