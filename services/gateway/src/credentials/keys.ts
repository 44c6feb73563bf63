import { randomBytes } from 'node:crypto';
import { keyPrefixes } from '@agent-trust/contracts';

/** 256 bits: nobody guesses one, so a plain SHA-256 of it is enough to store. */
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
