import { listWebhookDeliveries, listWebhooks } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { findWebhookDeliveries, findWebhooks } from '../../webhooks/queries.ts';
import type { QueryContext } from './context.ts';

/** What an organisation sees of its webhooks. */
export async function serveWebhooks({ rpc, database, reach }: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.searchesConcurrentMax };
  await rpc.serve(
    listWebhooks,
    async ({ orgId, webhookId, atLeast }, call) => {
      await reach(atLeast, call);
      return { webhooks: await findWebhooks(database, { orgId, webhookId }) };
    },
    options,
  );
  await rpc.serve(
    listWebhookDeliveries,
    async (page) => ({ page: await findWebhookDeliveries(database, page) }),
    options,
  );
}
