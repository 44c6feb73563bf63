/**
 * The keys by which changes are announced to processes that answer from memory (docs/consistency.md). An answer depends on entities; where
 * nothing was found under a key before, the key itself is announced.
 */
export const changedKeys = {
  /** Who an agent is, its keys and its configuration. */
  agent: (agentId: string): string => `agent:${agentId}`,
  /** What an agent has earned: score, counts, ratings, last activity. */
  standing: (agentId: string): string => `standing:${agentId}`,
  /** The record of an organisation, which changes the scores of all its agents. */
  record: (orgId: string): string => `record:${orgId}`,
  /** The keys of an organisation. */
  organisation: (orgId: string): string => `organisation:${orgId}`,
  /** The limits of an organisation, which depend on `organisation`. */
  limits: (orgId: string): string => `limits:${orgId}`,
  /** The key of an operator. */
  operatorKey: (operatorKeyId: string): string => `operator-key:${operatorKeyId}`,
  /** Whose a key is. @param keyHash its SHA-256 */
  credential: (keyHash: string): string => `credential:${keyHash}`,
} as const;

/** Whether a key changes with every exchange, or only answers depend on it that depend on such a key, too: those that show a score. */
export function isFrequentKey(key: string): boolean {
  return key.startsWith(changedKeys.standing('')) || key.startsWith(changedKeys.record(''));
}
