import type { ProductionKeyReplaced } from '@agent-trust/contracts';
import { ensureNewKey } from '../a-key-opens-one-universe.ts';
import { ensureCurrentProductionKey } from '../only-the-current-production-key.ts';
import type { OrganisationState } from '../state.ts';

/** `now` is RFC 3339. Only hashes of keys get here. */
export type ReplaceProductionKey = {
  type: 'ReplaceProductionKey';
  presentedKeyHash: string;
  productionKeyHash: string;
  now: string;
};

/** Replaces the production key by a new one; the former is none from this event on. Refusal: invalid_api_key. */
export function replaceProductionKey(command: ReplaceProductionKey, state: OrganisationState): ProductionKeyReplaced[] {
  const organisation = ensureCurrentProductionKey(command.presentedKeyHash, state);
  ensureNewKey(command.productionKeyHash, organisation);
  return [
    {
      type: 'ProductionKeyReplaced',
      data: { orgId: organisation.orgId, productionKeyHash: command.productionKeyHash, replacedAt: command.now },
    },
  ];
}
