import type { Logger } from '@agent-trust/service-kit';
import type { ReadModelDatabase } from '../queries/database.ts';
import { describedCapabilities } from '../projector/read-models/capability-taxonomy/described-capabilities.ts';
import { embeddingLimits } from './limits.ts';
import { type NearestByMeaning, nearestByMeaning } from './nearest-by-meaning.ts';
import { openAiCompatible } from './openai-compatible.ts';

/** The embedding model of the settings, or null where none is set. */
export function openEmbeddings(
  settings: {
    EMBEDDINGS_URL?: string | undefined;
    EMBEDDINGS_MODEL?: string | undefined;
    EMBEDDINGS_API_KEY?: string | undefined;
  },
  database: ReadModelDatabase,
  logger: Logger,
): NearestByMeaning | null {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = settings;
  if (url === undefined || model === undefined) return null;
  return nearestByMeaning({
    provider: openAiCompatible({ url, model, apiKey: apiKey ?? null }),
    load: () => describedCapabilities(database, embeddingLimits.capabilitiesMax),
    logger,
  });
}
