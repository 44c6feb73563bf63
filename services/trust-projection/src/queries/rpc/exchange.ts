import { listOverdueExchanges } from '@agent-trust/contracts';
import { findOverdueExchanges } from '../../projector/read-models/exchange-ledger/queries.ts';
import type { QueryContext } from './context.ts';

/** Few ask, each now and then; more at a time would be a fault. */
const overdueQueriesAtOnceMax = 16;

/** What call-proxies ask who end exchanges for those that are gone. */
export async function serveExchanges({ rpc, database }: QueryContext): Promise<void> {
  await rpc.serve(
    listOverdueExchanges,
    async ({ countMax }) => ({ transactionIds: await findOverdueExchanges(database, countMax) }),
    { concurrentMax: overdueQueriesAtOnceMax },
  );
}
