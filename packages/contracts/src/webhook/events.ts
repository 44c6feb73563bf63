import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { positionText, timestamp } from '../text.ts';

/** The webhooks of one organisation. One stream for all of them, so that their number has a limit that holds. */
export function webhooksStream(orgId: string): string {
  return `webhooks-${orgId}`;
}

/** From this event on changes of trust scores, and notices, are sent to the organisation. */
export const webhookRegistered = defineEvent('WebhookRegistered', {
  webhookId: z.string(),
  orgId: z.string(),
  /** Https, without user information. */
  url: z.string(),
  /** Agents that it reports on; null for all of the organisation's own. */
  agentIds: z.array(z.string()).nullable(),
  /** The webhook's secret is derived from this salt and stored nowhere. */
  secretSalt: z.string(),
  registeredAt: timestamp,
});

/** Nothing more is sent to the webhook. */
export const webhookDeleted = defineEvent('WebhookDeleted', {
  webhookId: z.string(),
  orgId: z.string(),
  deletedAt: timestamp,
});

/** Everything from a position on is sent again; a disabled webhook is enabled again. */
export const webhookReplayRequested = defineEvent('WebhookReplayRequested', {
  webhookId: z.string(),
  orgId: z.string(),
  fromPosition: positionText,
  requestedAt: timestamp,
});

export type WebhookRegistered = z.infer<typeof webhookRegistered.event>;
export type WebhookDeleted = z.infer<typeof webhookDeleted.event>;
export type WebhookReplayRequested = z.infer<typeof webhookReplayRequested.event>;
/** Events of the stream of an organisation's webhooks. */
export const webhookEvents = [webhookRegistered, webhookDeleted, webhookReplayRequested] as const;
export type WebhookEvent = EventOf<(typeof webhookEvents)[number]>;
