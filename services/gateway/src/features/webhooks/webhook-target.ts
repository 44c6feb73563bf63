import { faultAt } from '@agent-trust/contracts';
import { type CheckTarget, OutboundError } from '@agent-trust/safe-fetch';

/**
 * A webhook is told at once when its address is one that nothing would ever be sent to. What is sent later is checked again as it is
 * connected to, since names may answer otherwise then.
 *
 * @throws DomainError webhook_url_not_allowed
 */
export async function ensureWebhookTarget(checkTarget: CheckTarget, url: string): Promise<void> {
  try {
    await checkTarget(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw faultAt('webhook_url_not_allowed', ['body', 'url'], error.message);
  }
}
