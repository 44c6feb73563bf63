import { randomUUID } from 'node:crypto';
import { type CapabilityDefined, capabilityDefined, taxonomyStream } from '@agent-trust/contracts';
import { migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { replayReadModel } from '@agent-trust/projections';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../../shared/database.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';

const eventsPerAppend = 100;
const definedAt = '2026-01-01T00:00:00.000Z';

/** Brings the seed taxonomy into an empty database as the service does: as events, through the projection. */
export async function openTaxonomyDatabase(url: string): Promise<ReadModelDatabase> {
  await migratePostgresEventLog(url);
  const log = await openEventLog(url);
  const capabilities = await loadTaxonomy();
  for (let start = 0; start < capabilities.length; start += eventsPerAppend) {
    const events = capabilities.slice(start, start + eventsPerAppend).map((capability) => {
      const data: CapabilityDefined['data'] = { ...capability, definedAt };
      return { eventId: randomUUID(), type: capabilityDefined.type, data, metadata: { schemaVersion: 1 } };
    });
    await log.append(taxonomyStream, events, { expectedRevision: 'any' });
  }
  await replayReadModel({
    connection: { connectionString: url },
    schema: readModelSchema,
    log,
    readModel: await registryReadModel(),
  });
  await log.close();
  return openReadModelDatabase(url);
}
