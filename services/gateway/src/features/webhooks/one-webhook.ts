import {
  listWebhookDeliveries,
  replayWebhook,
  toWire,
  webhookDelivery,
  type webhookDeliveriesQuery,
} from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ask } from '../../bus/ask.ts';
import { write } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { setPageHeaders } from '../../http/public-document.ts';

/** What may be done with a webhook by its organisation and by operators, under the path of either. */

type Asked = { gateway: Gateway; request: FastifyRequest; reply: FastifyReply; path: string };

/** A page of what is not delivered, with its headers; null for a webhook that the organisation does not have. */
export async function deliveriesOf(
  { gateway, request, reply, path }: Asked,
  of: { orgId: string; webhookId: string },
  { limit, offset, status }: z.output<typeof webhookDeliveriesQuery>,
) {
  const { page } = await ask(gateway, request, listWebhookDeliveries, { ...of, status: status ?? null, limit, offset });
  if (page === null) return null;
  const shown = { limit, offset, ...(status === undefined ? {} : { status }) };
  setPageHeaders(reply, `${gateway.baseUrl}${path}`, shown, page.total);
  return page.deliveries.map((delivery) => toWire(webhookDelivery, delivery));
}

/** Sends everything from a position on again. */
export function replayOf(gateway: Gateway, request: FastifyRequest, input: z.output<typeof replayWebhook.input>) {
  return write(gateway, request, replayWebhook, input, ({ requestedAt }) => ({
    webhook_id: input.webhookId,
    from_position: input.fromPosition,
    requested_at: requestedAt,
  }));
}
