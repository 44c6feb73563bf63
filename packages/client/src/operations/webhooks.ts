import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  ListenedMessage,
  ListenedMessages,
  RegisteredWebhook,
  Webhook,
  WebhookDeleted,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookListener,
  WebhookReplay,
  WebhookRequest,
  WebhookSecret,
} from '../types.ts';
import { ask, get, pathOf, post } from './ask.ts';
import { eventReader, type EventsQuery } from './events.ts';
import { type Listing, listing, type PageOf } from './page.ts';

const own = ['organisation'] as const;
const path = '/org/webhooks';
const one = (webhookId: string, more = '') => ({
  ...pathOf(`${path}/{webhook_id}${more}`, webhookId),
  credentials: own,
});

export type WebhookDeliveriesPage = PageOf<'deliveries', WebhookDeliveriesQuery, WebhookDelivery>;

/** All with the organisation's production key. */
export function webhookOperations(transport: Transport) {
  const deliveriesOf = (webhookId: string): Listing<'deliveries', WebhookDeliveriesQuery, WebhookDelivery> =>
    listing(transport, 'deliveries', one(webhookId, '/deliveries'));
  return {
    /** Opens a listener with its secret, to try webhooks without a public address. Nothing is stored in the registry. */
    openListener: (options: RequestOptions = {}): Promise<WebhookListener> =>
      post(transport, { path: `${path}/listeners`, credentials: own }, options),

    /**
     * The messages of a listener, signed, with the headers that a delivery has: new ones, or those after the position `after`; without end, across
     * broken connections, none lost.
     *
     * @param query `agent_ids`: agents separated by commas.
     */
    listen: async function* (
      listenerId: string,
      query: { after?: string; agent_ids?: string } = {},
      options: RequestOptions = {},
    ): AsyncGenerator<ListenedMessage, void, undefined> {
      const listening = { ...pathOf(`${path}/listeners/{listener_id}/messages`, listenerId), credentials: own };
      const groups = eventReader<ListenedMessages, EventsQuery & { agent_ids?: string }>(transport, listening);
      for await (const { messages } of groups.follow(query, options)) yield* messages;
    },

    /**
     * Sends changes of trust scores, and notices, to an address. The answer has the secret that signs the messages; so does a RegistryError
     * after which the webhook may exist.
     */
    register: (body: WebhookRequest, options: RequestOptions = {}): Promise<RegisteredWebhook> =>
      post(transport, { path, json: body, credentials: own }, options),

    list: (options: RequestOptions = {}): Promise<Webhook[]> => get(transport, { path, credentials: own }, options),

    /** A webhook and the state of its deliveries. */
    get: async (webhookId: string, options: RequestOptions = {}): Promise<Webhook> =>
      get(transport, one(webhookId), options),

    /** What its messages are signed with, and as well while the registry replaces its secrets. */
    signingSecret: async (webhookId: string, options: RequestOptions = {}): Promise<WebhookSecret> =>
      get(transport, one(webhookId, '/secret'), options),

    delete: async (webhookId: string, options: RequestOptions = {}): Promise<WebhookDeleted> =>
      ask(transport, { method: 'DELETE', ...one(webhookId), repeat: 'never' }, options),

    /** Sends everything from a log position on once more, and enables a disabled webhook. */
    replay: async (webhookId: string, fromPosition: string, options: RequestOptions = {}): Promise<WebhookReplay> =>
      post(transport, { ...one(webhookId, '/replay'), json: { from_position: fromPosition } }, options),

    /** Undelivered messages, in the order of the log: pending ones and dead letters; or with `status: 'delivered'` those delivered last, the newest first. */
    deliveries: async (
      webhookId: string,
      query?: WebhookDeliveriesQuery,
      options?: RequestOptions,
    ): Promise<WebhookDeliveriesPage> => deliveriesOf(webhookId).page(query, options),

    /** The same, a page at a time. */
    eachDelivery: (
      webhookId: string,
      query?: WebhookDeliveriesQuery,
      options?: RequestOptions,
    ): AsyncGenerator<WebhookDelivery, void, undefined> => deliveriesOf(webhookId).each(query, options),
  };
}
