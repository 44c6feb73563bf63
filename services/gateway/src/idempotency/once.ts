import { claimTokenOf, mintClaimToken } from '../credentials/claim-token.ts';
import type { DerivedKeys } from './derived-keys.ts';

/** What a request is carried out with, so that carrying it out again comes to the same. */
export type Once = {
  /** Goes with the command; null for a request without an Idempotency-Key, which is carried out as often as it comes. */
  commandId: string | null;
  /** A claim token for an agent: random, or for a request with a key the same one each time, since only its hash is stored. */
  claimTokenFor(agentId: string): string;
  /** Answers what was chosen when the request was carried out first; chooses now, and keeps that, when nothing was. */
  remember(choose: () => Promise<string | null>): Promise<string | null>;
};

/** A request without an Idempotency-Key. */
export const unrepeated: Once = {
  commandId: null,
  claimTokenFor: mintClaimToken,
  remember: (choose) => choose(),
};

export function claimTokenDerivedFrom(keys: DerivedKeys, parts: readonly string[]) {
  return (agentId: string): string => claimTokenOf(agentId, keys.claimSecretOf([...parts, agentId]));
}
