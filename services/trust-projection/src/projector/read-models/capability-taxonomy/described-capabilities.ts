import type { DescribedCapability } from '../../../embeddings/nearest-by-meaning.ts';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/** The seed taxonomy in sentences, by name: what a model is told of each capability. */
export function describedCapabilities(database: ReadModelDatabase, countMax: number): Promise<DescribedCapability[]> {
  return database.query<DescribedCapability>({
    name: 'described-capabilities',
    text: `SELECT name, name_words || ': ' || description || ' ' || alias_words AS text FROM capability ORDER BY name LIMIT $1`,
    values: [countMax],
  });
}
