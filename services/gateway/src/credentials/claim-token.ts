import { isUtf8 } from 'node:buffer';
import { isSecret, mintSecret } from './keys.ts';

/** Makes a single-use claim token: the agent's id, so that the token finds its stream, and 32 random bytes. */
export function mintClaimToken(agentId: string): string {
  return claimTokenOf(agentId, mintSecret());
}

/** The claim token of an agent with a given secret, 32 bytes in base64url. */
export function claimTokenOf(agentId: string, secret: string): string {
  return `${Buffer.from(agentId, 'utf8').toString('base64url')}.${secret}`;
}

/** The agent that a token names, or null for a text that is no token. Whether it is the right one only its hash can tell. */
export function agentIdOfClaimToken(token: string): string | null {
  const [encodedId, secret, ...rest] = token.split('.');
  if (!encodedId || secret === undefined || rest.length > 0 || !isSecret(secret)) return null;
  const bytes = Buffer.from(encodedId, 'base64url');
  // Several texts decode to the same bytes; only the one that was issued is a token.
  if (bytes.toString('base64url') !== encodedId || !isUtf8(bytes)) return null;
  return bytes.toString('utf8');
}

export function claimLink(baseUrl: string, token: string): string {
  return `${baseUrl}/rotate?token=${encodeURIComponent(token)}`;
}
