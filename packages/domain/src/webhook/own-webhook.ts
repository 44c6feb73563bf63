import { DomainError } from '@agent-trust/contracts';
import type { WebhooksState } from './state.ts';

/**
 * A webhook is changed by its own organisation alone. One that is another's is none, so that nobody learns of it.
 *
 * @throws DomainError webhook_not_found
 */
export function ensureOwnWebhook(webhookId: string, { webhookIds }: WebhooksState): void {
  if (!webhookIds.has(webhookId))
    throw new DomainError('webhook_not_found', 'the organisation has no webhook of this id');
}
