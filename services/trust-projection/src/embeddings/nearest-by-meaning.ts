import { backoffMs, createBoundedMap, pause } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import type { DescribedCapability, EmbeddingRanking } from '../projector/read-models/capability-taxonomy/queries.ts';
import type { AskEmbeddings } from '../queries/resolve-capabilities.ts';
import { embeddingLimits, type EmbeddingLimits } from './limits.ts';
import { nearnessTo, unitVector } from './nearness.ts';
import { EmbeddingError, type EmbeddingProvider } from './openai-compatible.ts';

export type NearestByMeaning = ReturnType<typeof nearestByMeaning>;

/** Keeps the vectors of the seed taxonomy in memory and finds the nearest. No part of the read models: a replay cannot depend on a model. */
export function nearestByMeaning(options: {
  provider: EmbeddingProvider;
  load: () => Promise<DescribedCapability[]>;
  logger: Pick<Logger, 'info' | 'warn'>;
  limits?: Partial<EmbeddingLimits>;
}) {
  const limits: EmbeddingLimits = { ...embeddingLimits, ...options.limits };
  const { provider } = options;
  const stopping = new AbortController();
  const texts = new Map<string, string>();
  const vectors = new Map<string, Float64Array>();
  /** Of the names that were asked for, by name. */
  const asked = createBoundedMap<string, Float64Array>({ countMax: limits.namesRememberedMax });
  const model = availability(options.logger);

  const fill = async (): Promise<void> => {
    const wanted = (await options.load()).slice(0, limits.capabilitiesMax);
    const names = new Set(wanted.map(({ name }) => name));
    for (const name of vectors.keys()) {
      if (names.has(name)) continue;
      vectors.delete(name);
      texts.delete(name);
    }
    const missing = wanted.filter(({ name, text }) => texts.get(name) !== text);
    const [any] = wanted;
    // Nothing to ask for, but a word is needed on whether it answers again.
    if (missing.length === 0 && any !== undefined && !model.isUp()) await embed([any.text], limits.fillTimeoutMs);
    for (let start = 0; start < missing.length; start += limits.textsPerRequestMax) {
      const part = missing.slice(start, start + limits.textsPerRequestMax);
      const made = await embed(
        part.map(({ text }) => text),
        limits.fillTimeoutMs,
      );
      for (const [index, { name, text }] of part.entries()) {
        const vector = made[index];
        if (vector === undefined) continue;
        vectors.set(name, vector);
        texts.set(name, text);
      }
    }
  };
  /** Vectors of length 1 and of the same dimension as those that are known; throws whatever else comes. */
  const embed = async (wanted: string[], timeoutMs: number): Promise<Float64Array[]> => {
    const made = await provider.embed(wanted, { timeoutMs, signal: stopping.signal });
    const [known] = vectors.values();
    return made.map((vector) => {
      const unit = unitVector(vector);
      if (unit === null) throw new EmbeddingError('the embedding model gave a vector that has no direction');
      if (known !== undefined && unit.length !== known.length) {
        // Another model answers now; vectors of two models cannot be compared.
        vectors.clear();
        texts.clear();
        asked.clear();
        throw new EmbeddingError(`the embedding model gave ${unit.length} dimensions instead of ${known.length}`);
      }
      return unit;
    });
  };

  let questionFailed = new AbortController();
  const keepFilled = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await fill();
        model.answers();
        questionFailed = new AbortController();
        failures = 0;
        await pause(limits.refreshMs, AbortSignal.any([stopping.signal, questionFailed.signal]));
        if (!model.isUp()) await pause(backoffMs(0, limits.retryBackoff), stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        model.fails(error);
        await pause(backoffMs(failures++, limits.retryBackoff), stopping.signal);
      }
    }
  };
  const filling = keepFilled();

  /** The capabilities that are nearest in meaning; none until the model has answered for all of them, or if it fails. Never rejects. */
  const ask: AskEmbeddings = async (name: string): Promise<EmbeddingRanking> => {
    if (vectors.size === 0 || !model.isUp()) return [];
    try {
      const vector = asked.get(name) ?? (await embed([name.replaceAll('_', ' ')], limits.questionTimeoutMs))[0];
      if (vector === undefined) return [];
      // Without vectors, another model has begun to answer meanwhile.
      if (vectors.size > 0) asked.set(name, vector);
      return Array.from(nearnessTo(vector, vectors), ([other, similarity]) => ({ name: other, similarity }))
        .filter(({ similarity }) => similarity > 0)
        .toSorted((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
        .slice(0, limits.candidatesMax);
    } catch (error) {
      if (!stopping.signal.aborted) {
        model.fails(error);
        questionFailed.abort();
      }
      return [];
    }
  };
  return {
    ask,
    /** How many capabilities it has vectors of. */
    size: (): number => vectors.size,
    stop: async (): Promise<void> => {
      stopping.abort();
      await filling;
    },
  };
}

/** Whether the embedding model answers, logged whenever it changes. */
const availability = (logger: Pick<Logger, 'info' | 'warn'>) => {
  let up: boolean | null = null;
  return {
    isUp: (): boolean => up === true,
    answers: (): void => {
      if (up !== true) logger.info('the embedding model answers');
      up = true;
    },
    fails: (err: unknown): void => {
      if (up !== false) logger.warn({ err }, 'the embedding model does not answer; names are resolved without it');
      up = false;
    },
  };
};
