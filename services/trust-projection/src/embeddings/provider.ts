/** Turns texts into vectors whose nearness is nearness of meaning. */
export type EmbeddingProvider = {
  /**
   * One vector a text, in their order, all of one length.
   *
   * @throws EmbeddingError
   */
  embed(texts: readonly string[], options: { timeoutMs: number; signal?: AbortSignal }): Promise<Float64Array[]>;
};

/** The model cannot be reached, refuses, answers too late or answers what is no embedding. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
}
