import type { BackoffOptions } from '@agent-trust/limits';

/** Limits of the embedding model's part in resolution. */
export const embeddingLimits = {
  /** Capabilities whose vectors are kept in memory; the first ones by name, should there be more. */
  capabilitiesMax: 2_000,
  /** Names that were asked for whose vectors are kept, so that the same question is put once. */
  namesRememberedMax: 256,
  /** Numbers in a vector; common models have 384 to 4,096. */
  dimensionsMax: 4_096,
  /** Texts in one request while the memory is filled. */
  textsPerRequestMax: 64,
  /** Bytes of one answer: that many texts in as many dimensions, written out as decimals. */
  answerBytesMax: 16 * 1024 * 1024,
  /** Time that a request may take while the memory is filled. */
  fillTimeoutMs: 30_000,
  /** Time that a question may wait for the model. It is then answered without. */
  questionTimeoutMs: 1_000,
  /** How often the taxonomy is looked at for new and changed capabilities. */
  refreshMs: 60_000,
  /** First and longest pause after a failure, before the memory is filled further; questions leave the model alone meanwhile. */
  retryBackoff: { firstMs: 1_000, longestMs: 300_000 },
  /** Capabilities that the model may put forward for one name. */
  candidatesMax: 10,
} as const;
export type EmbeddingLimits = {
  readonly [Name in keyof typeof embeddingLimits]: Name extends 'retryBackoff' ? BackoffOptions : number;
};
