import { setTimeout as delay } from 'node:timers/promises';
import { projectionLimits } from '../limits.ts';
import type { ProjectedEvent } from '../projection.ts';
import { createSchema, type SchemaState } from '../schema.ts';
import { closeQuietly, openWriterSession } from '../session.ts';
import { rebuildOutdated, ReplayInProgressError, type ReplayOptions } from './replay.ts';

/**
 * Prepares the live schema before anything reads or follows it: creates a missing one, and replaces an outdated one by a replay beside it.
 * One of several processes rebuilds and the others wait. If it is killed, the live schema stays as it was, and the next call starts over.
 *
 * @throws what a replay throws, and the signal's reason
 */
export async function prepareReadModel<Event extends ProjectedEvent>(
  options: Pick<
    ReplayOptions<Event>,
    'connection' | 'schema' | 'log' | 'readModel' | 'beforeSwitch' | 'onProgress' | 'logger' | 'signal'
  >,
): Promise<void> {
  while ((await liveState(options)) === 'outdated') {
    options.logger?.info({ schema: options.schema }, 'the schema of the read models has changed: building them anew');
    try {
      await rebuildOutdated(options);
    } catch (error) {
      if (!(error instanceof ReplayInProgressError)) throw error;
      await delay(projectionLimits.rebuildPollMs, undefined, options.signal && { signal: options.signal });
    }
  }
}

const liveState = async ({
  connection,
  schema,
  readModel,
}: Pick<ReplayOptions<never>, 'connection' | 'schema'> & {
  readModel: { schema: Parameters<typeof createSchema>[2] };
}): Promise<SchemaState> => {
  const client = await openWriterSession(connection, schema);
  try {
    return await createSchema(client, schema, readModel.schema);
  } finally {
    await closeQuietly(client);
  }
};
