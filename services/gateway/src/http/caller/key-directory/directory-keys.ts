import { z } from 'zod';

/** Bounds on requests to the key directories of organisations' domains. */
export const keyDirectoryLimits = {
  /** From the request to the last byte of the directory. */
  fetchTimeoutMs: 5_000,
  bodyBytesMax: 64 * 1024,
  keysMax: 256,
  /** How long the keys of a domain are cached; a removed key stays valid for so long. */
  keptMs: 5 * 60_000,
  /** How long a failed request to a domain is cached. */
  faultKeptMs: 30_000,
  /** Domains whose answers are cached. */
  domainsMax: 512,
  /** Concurrent requests. */
  fetchesMax: 32,
} as const;

/** An Ed25519 key of a directory: `kid` if it has one, and 32 bytes in base64url, which the verifier checks. */
export type DirectoryKey = { kid: string | null; publicKey: string };

/** `ed25519Entries` counts every entry that claims to be an Ed25519 key, also those that are malformed or for another use. */
export type DirectoryKeys = { keys: DirectoryKey[]; ed25519Entries: number };

export type KeyChoice = { publicKey: string } | { fault: 'directory_key_absent' | 'directory_key_ambiguous' };

const directory = z.object({ keys: z.array(z.unknown()).max(keyDirectoryLimits.keysMax) });
const ed25519Entry = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519') });
/** RFC 8037 §2; not a key for another use than signing. */
const ed25519Key = ed25519Entry.extend({
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/u),
  kid: z.string().optional(),
  use: z.literal('sig').optional(),
});

/** The Ed25519 keys of a JWK set (RFC 7517 §5), which may contain others; null for a text that is no JWK set. */
export function readDirectory(text: string): DirectoryKeys | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = directory.safeParse(json);
  if (!parsed.success) return null;
  const entries = parsed.data.keys.filter((entry) => ed25519Entry.safeParse(entry).success);
  const keys = entries.flatMap((entry) => {
    const key = ed25519Key.safeParse(entry);
    return key.success ? [{ kid: key.data.kid ?? null, publicKey: key.data.x }] : [];
  });
  return { keys, ed25519Entries: entries.length };
}

/**
 * The key of an agent among those of its domain: the one whose `kid` is the agent's id; else, if the directory has exactly one Ed25519
 * key, counting malformed ones, and the domain exactly one agent, that one. Two keys with the same `kid` are ambiguous: neither is used.
 */
export function chooseKey({ keys, ed25519Entries }: DirectoryKeys, agentId: string, agentsOfDomain: number): KeyChoice {
  const named = keys.filter(({ kid }) => kid === agentId);
  const candidates = named.length > 0 ? named : agentsOfDomain === 1 && ed25519Entries === 1 ? keys : [];
  const [key, ...others] = candidates;
  if (key === undefined) return { fault: 'directory_key_absent' };
  if (others.length > 0) return { fault: 'directory_key_ambiguous' };
  return { publicKey: key.publicKey };
}
