import { isUtf8 } from 'node:buffer';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyPrefixes } from '@agent-trust/contracts';

/** 256 bits: too many to guess, so a plain SHA-256 of it is enough to store. */
const secretBytes = 32;
const secretPattern = '[A-Za-z0-9_-]{43}';

const agentKey = new RegExp(`^${keyPrefixes.agent}${secretPattern}$`, 'u');
const operatorKey = new RegExp(`^${keyPrefixes.operator}${secretPattern}$`, 'u');
const orgKey = new RegExp(`^(${keyPrefixes.organisation}|${keyPrefixes.organisationSandbox})${secretPattern}$`, 'u');

/** 32 random bytes in base64url. */
export function mintSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

export function mintKey(kind: keyof typeof keyPrefixes): string {
  return keyPrefixes[kind] + mintSecret();
}

/** Both keys of an organisation, to be shown once, and their hashes, to be stored. */
export function mintOrganisationKeys(): {
  keys: { api_key: string; sandbox_api_key: string };
  hashes: { productionKeyHash: string; sandboxKeyHash: string };
} {
  const keys = { api_key: mintKey('organisation'), sandbox_api_key: mintKey('organisationSandbox') };
  const hashes = { productionKeyHash: sha256Hex(keys.api_key), sandboxKeyHash: sha256Hex(keys.sandbox_api_key) };
  return { keys, hashes };
}

export function isOperatorKey(text: string): boolean {
  return operatorKey.test(text);
}
export function isAgentKey(text: string): boolean {
  return agentKey.test(text);
}
export function isOrgKey(text: string): boolean {
  return orgKey.test(text);
}
function isSecret(text: string): boolean {
  return text.length === 43 && /^[A-Za-z0-9_-]+$/u.test(text);
}

/** SHA-256 in lower-case hexadecimal: the only form in which a secret leaves this process. */
export function sha256Hex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares secrets in constant time, whatever their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** Makes a single-use claim token: the agent's id, so that the token finds its stream, and 32 random bytes. */
export function mintClaimToken(agentId: string): string {
  return claimTokenOf(agentId, mintSecret());
}

/** The claim token of an agent with a given secret, 32 bytes in base64url. */
export function claimTokenOf(agentId: string, secret: string): string {
  return `${Buffer.from(agentId, 'utf8').toString('base64url')}.${secret}`;
}

/** The agent that a token names, or null for a text that is not a token. Only its hash shows whether it is valid. */
export function agentIdOfClaimToken(token: string): string | null {
  const [encodedId, secret, ...rest] = token.split('.');
  if (!encodedId || secret === undefined || rest.length > 0 || !isSecret(secret)) return null;
  const bytes = Buffer.from(encodedId, 'base64url');
  // Several texts decode to the same bytes; only the issued one is a token.
  if (bytes.toString('base64url') !== encodedId || !isUtf8(bytes)) return null;
  return bytes.toString('utf8');
}

export function claimLink(baseUrl: string, token: string): string {
  return `${baseUrl}/rotate?token=${encodeURIComponent(token)}`;
}
