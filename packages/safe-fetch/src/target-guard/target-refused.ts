/**
 * `unavailable`: it has failed again and again and is not tried now. `busy`: it has as many requests as it gets. `full`: no fault of the
 * target, this instance has as many as it carries.
 */
export type TargetRefusal = 'unavailable' | 'busy' | 'full';

const messages: Record<TargetRefusal, string> = {
  unavailable: 'the target has not answered for a while and is not tried now',
  busy: 'the target has as many requests as it gets at one time',
  full: 'as many requests as this instance carries are under way',
};

/** A request that was not sent, for its target's or the other targets' sake. Never names the target. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  readonly refusal: TargetRefusal;
  /** When it is worth another try. */
  readonly retryAfterMs: number;

  constructor(refusal: TargetRefusal, retryAfterMs: number) {
    super(messages[refusal]);
    this.refusal = refusal;
    this.retryAfterMs = retryAfterMs;
  }
}
