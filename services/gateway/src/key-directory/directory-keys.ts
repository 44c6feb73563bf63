import { z } from 'zod';
import { keyDirectoryLimits } from './limits.ts';

/** An Ed25519 key of a directory: `kid` where it has one, and 32 bytes in base64url. Whether they are a sound key is for the verifier to say. */
export type DirectoryKey = { kid: string | null; publicKey: string };

export type KeyChoice = { publicKey: string } | { fault: 'directory_key_absent' | 'directory_key_ambiguous' };

const directory = z.object({ keys: z.array(z.unknown()).max(keyDirectoryLimits.keysMax) });
/** RFC 8037 §2. A key that is marked for something else than signing is none of ours. */
const ed25519Key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/u),
  kid: z.string().optional(),
  use: z.literal('sig').optional(),
});

/** The Ed25519 keys of a JWK set (RFC 7517 §5), or null for a text that is none. Keys of other types stand beside them and are left out. */
export const readDirectory = (text: string): DirectoryKey[] | null => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = directory.safeParse(json);
  if (!parsed.success) return null;
  return parsed.data.keys.flatMap((entry) => {
    const key = ed25519Key.safeParse(entry);
    return key.success ? [{ kid: key.data.kid ?? null, publicKey: key.data.x }] : [];
  });
};

/**
 * The key of an agent among those of its domain: the one whose `kid` is the agent's id; else, when the directory has exactly one key and
 * the domain exactly one agent, that one. Two keys under one `kid` leave open which is meant, so neither is used.
 */
export const chooseKey = (keys: readonly DirectoryKey[], agentId: string, agentsOfDomain: number): KeyChoice => {
  const named = keys.filter(({ kid }) => kid === agentId);
  const candidates = named.length > 0 ? named : agentsOfDomain === 1 && keys.length === 1 ? keys : [];
  const [key, ...others] = candidates;
  if (key === undefined) return { fault: 'directory_key_absent' };
  if (others.length > 0) return { fault: 'directory_key_ambiguous' };
  return { publicKey: key.publicKey };
};
