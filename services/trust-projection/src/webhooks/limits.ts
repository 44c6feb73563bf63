/** Bounds of what is sent to webhooks. Those that settings name are their defaults. */
export const webhookLimits = {
  /** WEBHOOK_ATTEMPTS_MAX: how often a message is sent before it is a dead letter. With the waits between them: after 28 to 56 hours. */
  attemptsMax: 12,
  /** WEBHOOK_RETRY_FIRST_MS: the wait after the first failure; each further one is `retryFactor` times as long, up to the longest. */
  retryFirstMs: 5_000,
  retryFactor: 4,
  /** WEBHOOK_RETRY_LONGEST_MS */
  retryLongestMs: 12 * 3_600_000,
  /** A consumer's Retry-After is kept to up to here. */
  retryAfterMsMax: 3_600_000,
  /** WEBHOOK_ANSWER_MS: from the beginning of an attempt to the head of the answer. */
  answerMs: 15_000,
  /** What is read of an answer's body, so that the connection can be used again; the status has decided by then. */
  answerBytesMax: 16 * 1024,
  answerBodyMs: 1_000,
  /** Messages under way at one time: of all webhooks, of one, and of one that has failed since it last took a message. */
  messagesAtOnceMax: 128,
  messagesAtOncePerWebhookMax: 8,
  messagesAtOnceFailingMax: 1,
  /** Of all places, what webhooks that are failing may hold together. */
  messagesAtOnceOfFailingMax: 64,
  messagesPerSecondPerWebhookMax: 500,
  /** Changes of one webhook that wait in the outbox; further ones are read from the history when there is room, in halves of this. */
  pendingPerWebhookMax: 2_000,
  /** Changes of the history that are handed over at a time. */
  changesPerRoundMax: 1_000,
  /** Webhooks that are behind and are brought on in one round. */
  behindPerRoundMax: 8,
  /** Due messages that are read at a time. */
  dueAtATimeMax: 256,
  /** Between two rounds of handing over, so that busy times make larger rounds and not more of them. */
  roundPauseMs: 25,
  /** The same while no webhook is active. */
  unusedRoundPauseMs: 500,
  /** Longest sleep of a dispatcher that has nothing to do. */
  idleMsMax: 30_000,
  /** How often an instance asks whether the place of the one dispatcher is free, and how soon it tries again after a failure. */
  standbyMs: 1_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  /** How long a stopping dispatcher waits for messages under way. */
  stopMs: 2_000,
} as const;
