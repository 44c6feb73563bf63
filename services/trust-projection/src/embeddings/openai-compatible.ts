import { z } from 'zod';
import { bodyText } from '../shared/body-text.ts';
import { embeddingLimits } from './limits.ts';

/** Turns texts into vectors whose nearness is nearness of meaning. */
export type EmbeddingProvider = {
  /** One vector for each text, in their order, all of one length. Throws EmbeddingError. */
  embed(texts: readonly string[], options: { timeoutMs: number; signal?: AbortSignal }): Promise<Float64Array[]>;
};

/** The model cannot be reached, refuses, answers too late or answers what is no embedding. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
}

export type OpenAiCompatibleOptions = {
  /** Base address, such as `https://api.openai.com/v1`; `/embeddings` is added. */
  url: string;
  model: string;
  apiKey: string | null;
  answerBytesMax?: number;
};

const answerShape = z.object({
  data: z.array(
    z.object({
      index: z.int().nonnegative(),
      embedding: z.array(z.number()).min(1).max(embeddingLimits.dimensionsMax),
    }),
  ),
});

/**
 * An embedding model behind `POST {url}/embeddings` as OpenAI documents it (API reference, "Create embeddings"). The operator names the
 * address, often a private one, so the outbound client for addresses of anonymous callers is not used. Redirects would receive the key.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): EmbeddingProvider {
  const target = `${options.url.replace(/\/+$/, '')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  const ask = async (texts: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: options.model, input: texts, encoding_format: 'float' }),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      // The body may repeat what was sent; the status says enough.
      throw new EmbeddingError(`the embedding model answered ${response.status}`);
    }
    const bytesMax = options.answerBytesMax ?? embeddingLimits.answerBytesMax;
    const tooLong = (): Error => new EmbeddingError(`the embedding model answered more than ${bytesMax} bytes`);
    return JSON.parse(await bodyText(response, bytesMax, tooLong));
  };
  return {
    embed: async (texts, { timeoutMs, signal }) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signals = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
      let answer: unknown;
      try {
        answer = await ask(texts, signals);
      } catch (error) {
        if (error instanceof EmbeddingError) throw error;
        const reason = timeout.aborted ? `gave no answer within ${timeoutMs} ms` : `gave no answer: ${reasonOf(error)}`;
        throw new EmbeddingError(`the embedding model ${reason}`, { cause: error });
      }
      return vectorsOf(answer, texts.length);
    },
  };
}

const vectorsOf = (answer: unknown, count: number): Float64Array[] => {
  const parsed = answerShape.safeParse(answer);
  if (!parsed.success) throw new EmbeddingError("the embedding model's answer does not have the documented shape");
  const { data } = parsed.data;
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float64Array.from(embedding));
  if (
    data.length !== count ||
    data.some(({ index }) => index >= count) ||
    new Set(data.map(({ index }) => index)).size !== count
  ) {
    throw new EmbeddingError(
      `the embedding model gave ${data.length} vectors for ${count} texts, or numbered them wrongly`,
    );
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length)) {
    throw new EmbeddingError('the embedding model gave vectors of different lengths');
  }
  return vectors;
};

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};
