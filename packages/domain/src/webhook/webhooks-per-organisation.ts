import { DomainError, limits } from '@agent-trust/contracts';
import type { WebhooksState } from './state.ts';

/**
 * Every change of a score is a message for each webhook, so their number is bounded; of many registrations at once no more succeed.
 *
 * @throws DomainError webhook_limit_reached
 */
export function ensurePlaceForWebhook({ webhookIds }: WebhooksState): void {
  if (webhookIds.size < limits.webhooksPerOrgMax) return;
  throw new DomainError(
    'webhook_limit_reached',
    `the organisation has ${webhookIds.size} webhooks and may have ${limits.webhooksPerOrgMax}; one must be deleted first`,
  );
}
