import { DomainError, refusalOf } from '@agent-trust/contracts';
import { EventLogError } from '@agent-trust/event-log';

/**
 * Nothing is written, because the log is not the one of the read models. No DomainError, which a command takes for a rule that may have been
 * met meanwhile, and looks again.
 */
export class LogRolledBackError extends EventLogError {
  override readonly name = 'LogRolledBackError';
  override readonly code = 'log_rolled_back';

  /** @param fault why, in words without addresses */
  constructor(fault: string) {
    super(`${fault}; nothing is written until the operator has settled it`);
  }

  /** As it crosses the bus. */
  refusal(): ReturnType<typeof refusalOf> {
    return refusalOf(new DomainError('log_rolled_back', this.message));
  }
}
