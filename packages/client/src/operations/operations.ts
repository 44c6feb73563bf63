import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  AllWebhooksQuery,
  Demo,
  DemoRequest,
  OperationsRates,
  OperationsStatus,
  OperatorWebhook,
  Replay,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookReplay,
} from '../types.ts';
import { ask, get, pathOf, post } from './ask.ts';
import { listing, type PageOf } from './page.ts';
import type { WebhookDeliveriesPage } from './webhooks.ts';

const operator = ['admin'] as const;
const path = '/ops/replays';
const one = (replayId: string) => ({ ...pathOf(`${path}/{replay_id}`, replayId), credentials: operator });

const webhookPath = '/ops/webhooks';
const webhook = (webhookId: string, more: string) => ({
  ...pathOf(`${webhookPath}/{webhook_id}${more}`, webhookId),
  credentials: operator,
});

export type AllWebhooksPage = PageOf<'webhooks', AllWebhooksQuery, OperatorWebhook>;

/** The state of the installation, and replays of its read models; all require the operator's `adminToken`. */
export function installationOperations(transport: Transport) {
  const webhooks = listing<'webhooks', AllWebhooksQuery, OperatorWebhook>(transport, 'webhooks', {
    path: webhookPath,
    credentials: operator,
  });
  return {
    /** Webhooks of all organisations, those with most pending messages first; a page. */
    webhooks: (query?: AllWebhooksQuery, options?: RequestOptions): Promise<AllWebhooksPage> =>
      webhooks.page(query, options),

    /** Undelivered messages of a webhook of any organisation, in the order of the log; a page. */
    webhookDeliveries: async (
      webhookId: string,
      query?: WebhookDeliveriesQuery,
      options?: RequestOptions,
    ): Promise<WebhookDeliveriesPage> =>
      listing<'deliveries', WebhookDeliveriesQuery, WebhookDelivery>(
        transport,
        'deliveries',
        webhook(webhookId, '/deliveries'),
      ).page(query, options),

    /** Sends everything of a webhook of any organisation from a log position on once more, and enables it if it was disabled. */
    replayWebhook: async (webhookId: string, fromPosition: string, options?: RequestOptions): Promise<WebhookReplay> =>
      post(transport, { ...webhook(webhookId, '/replay'), json: { from_position: fromPosition } }, options),

    /** Instances and versions, the lag of the read models, the newest signed checkpoint, the backlog of webhooks, a running replay. */
    status: (options?: RequestOptions): Promise<OperationsStatus> =>
      get(transport, { path: '/ops/status', credentials: operator }, options),

    /** Requests, calls, verifies and refusals by gateway, and log head against read models, over the last quarter of an hour. */
    rates: (options?: RequestOptions): Promise<OperationsRates> =>
      get(transport, { path: '/ops/rates', credentials: operator }, options),

    /** Builds the read models again beside the live ones. One replay runs at a time: else a RegistryError `replay_in_progress`. */
    startReplay: (body: { accept_differences?: boolean } = {}, options?: RequestOptions): Promise<Replay> =>
      post(transport, { path, json: body, credentials: operator }, options),

    /** The newest replays, newest first. */
    replays: (options?: RequestOptions): Promise<Replay[]> => get(transport, { path, credentials: operator }, options),

    /** A replay: its state, its progress and its result. */
    replay: async (replayId: string, options?: RequestOptions): Promise<Replay> =>
      get(transport, one(replayId), options),

    /** Asks a replay to stop; its state says when it has. */
    cancelReplay: async (replayId: string, options?: RequestOptions): Promise<Replay> =>
      ask(transport, { method: 'DELETE', ...one(replayId), repeat: 'never' }, options),

    /** Plays the demo in a registry that `npm start` runs; elsewhere a RegistryError `demo_absent`. One demo runs at a time: else `demo_in_progress`. */
    playDemo: (body: Partial<DemoRequest> = {}, options?: RequestOptions): Promise<Demo> =>
      post(transport, { path: '/ops/demo', json: body, credentials: operator }, options),

    /** The demo that runs, or else the last one, with its steps so far. */
    demo: (options?: RequestOptions): Promise<Demo> =>
      get(transport, { path: '/ops/demo', credentials: operator }, options),
  };
}
