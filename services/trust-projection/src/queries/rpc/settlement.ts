import { getExchangeParties, listSettlements } from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import { queryLimits } from '../../limits.ts';
import { findExchangeParties } from '../../projector/read-models/exchange-ledger/exchange-parties.ts';
import { findSettlements } from '../../projector/read-models/org-payments/settlements.ts';
import { sha256Hex } from '../../sha256-hex.ts';
import type { QueryContext } from './context.ts';

/** What the pay-proxies ask to attribute a payment, and what operators see of settlements. */
export async function serveSettlements({ rpc, database }: QueryContext): Promise<void> {
  await rpc.serve(
    getExchangeParties,
    async ({ transactionId }) => ({ parties: await findExchangeParties(database, transactionId) }),
    { concurrentMax: queryLimits.queriesConcurrentMax },
  );
  await rpc.serve(
    listSettlements,
    ({ orgName, limit, offset }) =>
      // An organisation's id comes from its name, so the name as it was registered need not be looked for.
      findSettlements(database, { orgId: orgName === null ? null : orgIdOfName(orgName, sha256Hex), limit, offset }),
    { concurrentMax: queryLimits.searchesConcurrentMax },
  );
}
