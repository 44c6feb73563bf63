import { once } from 'node:events';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import { type ProjectedEvent, type ReadModel, replayReadModel, startRunner } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { logRecordReadModel, logRecordSchema } from '../../services/trust-projection/src/audit/start-log-record.ts';
import { registryReadModel } from '../../services/trust-projection/src/projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import type { Progress } from './phases.ts';

/*
 * The read models and the log record, each built or following in a thread of its own, as they are in processes of their own where both are
 * built at the same time.
 */
export const schemas: readonly [typeof readModelSchema, typeof logRecordSchema] = [readModelSchema, logRecordSchema];
export type SchemaName = (typeof schemas)[number];

type Task = { url: string; schema: SchemaName; kind: 'build' | 'follow' };

const caughtUpTimeoutMs = 3 * 60 * 60_000;
/** As commands that read many events have it. */
const youngGenerationMib = 96;

const threadFor = (task: Task): Worker =>
  new Worker(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMib },
  });

/** Builds a schema from the log. @returns seconds, without those for making the schema and switching to it */
export async function buildInThread(url: string, schema: SchemaName, progress: Progress): Promise<number> {
  const thread = threadFor({ url, schema, kind: 'build' });
  let seconds = Number.NaN;
  thread.on('message', (said: { fraction: number } | { seconds: number }) => {
    if ('fraction' in said) progress(said.fraction);
    else ({ seconds } = said);
  });
  await once(thread, 'exit');
  return seconds;
}

/** Follows the log in a schema. @returns ends it when it has reached a position, and resolves then */
export function followInThread(url: string, schema: SchemaName): (head: bigint) => Promise<void> {
  const thread = threadFor({ url, schema, kind: 'follow' });
  const ended = once(thread, 'exit');
  // Whoever waits for the end gets the failure.
  ended.catch(() => undefined);
  return async (head) => {
    thread.postMessage(head);
    await ended;
  };
}

const build = async <Event extends ProjectedEvent>(
  { url, schema }: Task,
  log: EventLog,
  readModel: ReadModel<Event>,
  port: MessagePort,
): Promise<void> => {
  const { events, eventsPerSecond } = await replayReadModel({
    connection: { connectionString: url },
    schema,
    log,
    readModel,
    skipComparison: true,
    onProgress: ({ fraction }) => port.postMessage({ fraction }),
  });
  port.postMessage({ seconds: events / eventsPerSecond });
};

const follow = async <Event extends ProjectedEvent>(
  { url, schema }: Task,
  log: EventLog,
  readModel: ReadModel<Event>,
  port: MessagePort,
): Promise<void> => {
  const runner = startRunner({ connection: { connectionString: url }, schema, log, readModel });
  const [head] = (await once(port, 'message')) as [bigint];
  await waitFor(() => (runner.status().position ?? 0n) >= head, {
    timeoutMs: caughtUpTimeoutMs,
    description: `the end of the log in ${schema}`,
  });
  await runner.stop();
};

if (!isMainThread && parentPort !== null) {
  const task = workerData as Task;
  const work = task.kind === 'build' ? build : follow;
  const log = await openEventLog(task.url);
  if (task.schema === readModelSchema) await work(task, log, await registryReadModel(), parentPort);
  else await work(task, withArchivedLeaves(log), await logRecordReadModel(), parentPort);
  await log.close();
  parentPort.close();
}
