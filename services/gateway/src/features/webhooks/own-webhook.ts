import { DomainError } from '@agent-trust/contracts';

/** One text, whether there is none or it is another organisation's: nobody learns which. */
export function noSuchWebhook(): DomainError {
  return new DomainError('webhook_not_found', 'the organisation has no webhook of this id');
}
