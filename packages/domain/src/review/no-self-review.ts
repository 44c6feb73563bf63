import { DomainError } from '@agent-trust/contracts';

/** Rule D. Refuses with `self_review`. */
export function ensureOtherAgent(reviewerAgentId: string, receiverAgentId: string): void {
  if (reviewerAgentId === receiverAgentId) {
    throw new DomainError('self_review', `agent ${JSON.stringify(reviewerAgentId)} cannot review itself`);
  }
}
