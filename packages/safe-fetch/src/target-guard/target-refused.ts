/** Why a request was refused. Codes are the error codes of the registry's contracts; the messages are shown to the caller and never name the target. */
const refusals = {
  /** The target has failed several times in a row. */
  unavailable: {
    code: 'target_unavailable',
    message: 'The agent has not answered for a while, and is not tried again yet; nothing was sent.',
  },
  caller_busy: {
    code: 'target_busy',
    message: 'You have as many requests under way at the agent as one caller gets; nothing was sent.',
  },
  anonymous_busy: {
    code: 'target_busy',
    message:
      'The agent has as many requests under way as it takes from all anonymous callers together; nothing was sent.',
  },
  agent_busy: {
    code: 'target_busy',
    message: 'The agent has as many requests under way as it takes from all callers together; nothing was sent.',
  },
  origin_busy: {
    code: 'target_busy',
    message: "The agent's server has as many requests under way as it takes at one time; nothing was sent.",
  },
  rate: {
    code: 'target_busy',
    message: 'The agent has had as many requests as it takes in a second; nothing was sent.',
  },
  /** Not the target's fault: this instance has reached its limit. */
  full: { code: 'overloaded', message: 'This proxy has as many requests under way as it takes; nothing was sent.' },
} as const;

export type TargetRefusal = keyof typeof refusals;

/** A request that was not sent, to protect its target or the other targets. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  readonly refusal: TargetRefusal;
  readonly code: (typeof refusals)[TargetRefusal]['code'];
  /** When another try makes sense. */
  readonly retryAfterMs: number;

  constructor(refusal: TargetRefusal, retryAfterMs: number) {
    const { code, message } = refusals[refusal];
    super(message);
    this.refusal = refusal;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
