import { pathSegment } from '../http/base-url.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { everyItem, type NextPage } from '../pages.ts';
import type {
  RegisteredWebhook,
  Webhook,
  WebhookDeleted,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookReplay,
  WebhookRequest,
} from '../types.ts';
import { ask } from './ask.ts';
import { askPage } from './page.ts';

const own = ['organisation'] as const;
const path = '/org/webhooks';
const one = (webhookId: string, more = '') => ({
  path: `${path}/${pathSegment(webhookId)}${more}`,
  name: `${path}/{webhook_id}${more}`,
  credentials: own,
});

export type WebhookDeliveriesPage = {
  deliveries: WebhookDelivery[];
  total: number | null;
  next: NextPage<WebhookDeliveriesQuery>;
};

/** All of them by the organisation's production key. */
export function webhookOperations(transport: Transport) {
  return {
    /**
     * Has changes of trust scores sent to an address. The answer has the secret that messages are signed with, which is shown once; so has a
     * RegistryError after which the webhook stands, or may.
     */
    register: (body: WebhookRequest, options: RequestOptions = {}): Promise<RegisteredWebhook> =>
      ask(transport, { method: 'POST', path, json: body, credentials: own, repeat: 'never' }, options),

    list: (options: RequestOptions = {}): Promise<Webhook[]> =>
      ask(transport, { method: 'GET', path, credentials: own, repeat: 'always' }, options),

    /** A webhook and how it fares. */
    get: async (webhookId: string, options: RequestOptions = {}): Promise<Webhook> =>
      ask(transport, { method: 'GET', ...one(webhookId), repeat: 'always' }, options),

    delete: async (webhookId: string, options: RequestOptions = {}): Promise<WebhookDeleted> =>
      ask(transport, { method: 'DELETE', ...one(webhookId), repeat: 'never' }, options),

    /** Has all changes from a log position on sent once more, and switches a webhook on that was switched off. */
    replay: async (webhookId: string, fromPosition: string, options: RequestOptions = {}): Promise<WebhookReplay> =>
      ask(
        transport,
        { method: 'POST', ...one(webhookId, '/replay'), json: { from_position: fromPosition }, repeat: 'never' },
        options,
      ),

    /** Changes that are not delivered, in the order of the log: those that wait, and those that were given up. */
    deliveries: async (
      webhookId: string,
      query: WebhookDeliveriesQuery = {},
      options: RequestOptions = {},
    ): Promise<WebhookDeliveriesPage> => {
      const page = await askPage<WebhookDeliveriesQuery, WebhookDelivery>(
        transport,
        one(webhookId, '/deliveries'),
        query,
        options,
      );
      return { deliveries: page.items, total: page.total, next: page.next };
    },

    /** The same, a page at a time. */
    eachDelivery: (
      webhookId: string,
      query: WebhookDeliveriesQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<WebhookDelivery, void, undefined> =>
      everyItem<WebhookDeliveriesQuery, WebhookDelivery>(query, (wanted) =>
        askPage<WebhookDeliveriesQuery, WebhookDelivery>(transport, one(webhookId, '/deliveries'), wanted, options),
      ),
  };
}
