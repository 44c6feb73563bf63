import type { Logger } from '@agent-trust/service-kit';
import type { DescribedCapability } from '../projector/read-models/capability-taxonomy/queries.ts';
import { embeddingLimits } from './limits.ts';
import { type NearestByMeaning, nearestByMeaning } from './nearest-by-meaning.ts';
import { openAiCompatible } from './openai-compatible.ts';

/** Keeps the vectors of the taxonomy by the embedding model of the settings; null where none is set. */
export function startEmbeddings(parts: {
  url: string | undefined;
  model: string | undefined;
  apiKey: string | undefined;
  loadCapabilities: (countMax: number) => Promise<DescribedCapability[]>;
  logger: Logger;
}): NearestByMeaning | null {
  const { url, model, apiKey = null, loadCapabilities, logger } = parts;
  if (url === undefined || model === undefined) return null;
  return nearestByMeaning({
    provider: openAiCompatible({ url, model, apiKey }),
    load: () => loadCapabilities(embeddingLimits.capabilitiesMax),
    logger,
  });
}
