import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyPrefixes } from '@agent-trust/contracts';

/** 256 bits: too many to guess, so a plain SHA-256 of it is enough to store. */
const secretBytes = 32;
const secretPattern = '[A-Za-z0-9_-]{43}';

const agentKey = new RegExp(`^${keyPrefixes.agent}${secretPattern}$`, 'u');
const orgKey = new RegExp(`^(${keyPrefixes.organisation}|${keyPrefixes.organisationSandbox})${secretPattern}$`, 'u');

export function mintSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Makes a new key of a kind: its prefix and 32 random bytes in base64url. */
export function mintKey(kind: keyof typeof keyPrefixes): string {
  return keyPrefixes[kind] + mintSecret();
}

export function isAgentKey(text: string): boolean {
  return agentKey.test(text);
}
export function isOrgKey(text: string): boolean {
  return orgKey.test(text);
}
export function isSecret(text: string): boolean {
  return text.length === 43 && /^[A-Za-z0-9_-]+$/u.test(text);
}

/** SHA-256 as lower-case hexadecimal digits: the only form in which a secret leaves this process. */
export function sha256Hex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares secrets in a time that does not depend on where they differ, nor on their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
