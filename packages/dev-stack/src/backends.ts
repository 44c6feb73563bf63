import { join } from 'node:path';
import { provideNatsServer, startEmbeddedPostgres, startNatsServer } from '@agent-trust/embedded-servers';
import { preparePersonalData } from '@agent-trust/personal-data';
import type { DataFolder, Secrets } from './data-folder.ts';
import { migrateEventLog, prepareDatabase } from './database-access.ts';
import { jetStreamAnswersAt, requireListener, requirePostgres } from './probe.ts';
import { writeNatsConfig } from './nats-config.ts';
import { natsPasswordName, type ServiceAddresses, serviceKinds, supervisorUser } from './services.ts';
import type { StackSettings } from './settings.ts';
import { oneLine, StackError } from './stack-error.ts';
import { type SupervisedServer, superviseServer } from './supervised-server.ts';

interface Backends extends ServiceAddresses {
  readonly servers: readonly SupervisedServer[];
  /** Owner's view of the embedded database; `undefined` if both of its parts were given. */
  readonly postgresUrl: string | undefined;
  readonly natsUrl: string;
}

interface BackendOptions {
  readonly settings: StackSettings;
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  /** `false` only for temporary data: gives up durability for speed. */
  readonly fsync: boolean;
  readonly onProgress: (line: string) => void;
  /** Called with each server as soon as it runs, so that it is stopped even if the start fails later. */
  readonly onStarted: (server: SupervisedServer) => void;
}

/** Turns a failure into a StackError with a message that says what to do. */
const explained = async <T>(work: Promise<T>, message: (error: unknown) => string): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StackError ? error : new StackError(message(error), { cause: error });
  }
};

/** The line of a server's log that says why it did not start. */
const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  const fatal = text.split('\n').findLast((line) => /FATAL|PANIC|\[FTL\]|No space left|could not/.test(line));
  return oneLine(fatal ?? text).slice(0, 400);
};

interface Database {
  readonly server?: SupervisedServer;
  readonly ownerUrl?: string;
  readonly eventLogUrlFor: (service: string) => string;
  readonly readModelsUrlFor: (service: string) => string;
}

const startDatabase = async ({
  settings,
  folder,
  secrets,
  fsync,
  onProgress,
  onStarted,
}: BackendOptions): Promise<Database> => {
  // A given Postgres holds both parts unless another event log is given as well.
  const eventLogUrl = settings.EVENT_LOG_URL ?? settings.DATABASE_URL;
  const eventLogVariable = settings.EVENT_LOG_URL === undefined ? 'DATABASE_URL' : 'EVENT_LOG_URL';
  if (settings.DATABASE_URL !== undefined) await requirePostgres('DATABASE_URL', settings.DATABASE_URL);
  if (eventLogUrl !== undefined) {
    if (eventLogUrl.startsWith('postgres')) {
      await requirePostgres(eventLogVariable, eventLogUrl);
      await explained(
        migrateEventLog(eventLogUrl),
        (error) =>
          `The event log's tables cannot be made in the Postgres of ${eventLogVariable} (${oneLine(error)}): its user must be allowed to create a schema`,
      );
    } else await requireListener('EVENT_LOG_URL', 'an event log', eventLogUrl, 2113);
  }
  const { DATABASE_URL: readModelsUrl } = settings;
  if (readModelsUrl !== undefined)
    await explained(
      preparePersonalData(readModelsUrl),
      (error) =>
        `The table of the keys of personal data cannot be made in the Postgres of DATABASE_URL (${oneLine(error)}): its user must be allowed to create a schema`,
    );
  if (eventLogUrl !== undefined && readModelsUrl !== undefined)
    return { eventLogUrlFor: () => eventLogUrl, readModelsUrlFor: () => readModelsUrl };

  const server = await explained(
    superviseServer(
      'postgres',
      (port) => startEmbeddedPostgres({ dataDir: folder.postgres, fsync, ...(port === undefined ? {} : { port }) }),
      onProgress,
    ),
    (error) =>
      /No space left/.test(String(error))
        ? `No disk space left for the database in ${folder.postgres}: free some and start again`
        : `The database in ${folder.postgres} cannot be started: ${reasonOf(error)}. Restore that folder from a copy, or remove it to start over without its data`,
  );
  onStarted(server);
  const { ownerUrl, urlFor } = await explained(
    prepareDatabase(server.url, secrets, { eventLog: eventLogUrl === undefined }),
    (error) =>
      `The database in ${folder.postgres} cannot be prepared: ${oneLine(error)} (log: ${join(folder.postgres, 'postgres.log')})`,
  );
  return {
    server,
    ownerUrl,
    eventLogUrlFor: (service) => eventLogUrl ?? urlFor(service),
    readModelsUrlFor: (service) => readModelsUrl ?? urlFor(service),
  };
};

interface Bus {
  readonly server?: SupervisedServer;
  readonly url: string;
  readonly urlFor: (service: string) => string;
}

const startBus = async ({ settings, folder, secrets, onProgress, onStarted }: BackendOptions): Promise<Bus> => {
  if (settings.NATS_URL !== undefined) {
    const url = settings.NATS_URL;
    await requireListener('NATS_URL', 'a NATS server', url, 4222);
    return { url, urlFor: () => url };
  }
  writeNatsConfig(folder.natsConfigFile);
  const names = [...serviceKinds.map(({ name }) => name), supervisorUser].map(natsPasswordName);
  const env = Object.fromEntries(names.map((name) => [name, secrets[name] ?? '']));
  const binary = await explained(provideNatsServer({ log: onProgress }), oneLine);
  const options = { binary, configFile: folder.natsConfigFile, env, storeDir: folder.nats };
  const withUser = (url: string, service: string): string =>
    url.replace('nats://', `nats://${service}:${encodeURIComponent(secrets[natsPasswordName(service)] ?? '')}@`);
  const server = await explained(
    superviseServer(
      'nats-server',
      (port) => startNatsServer({ ...options, ...(port === undefined ? {} : { port }) }),
      onProgress,
      ({ url }) => jetStreamAnswersAt(withUser(url, 'gateway')),
    ),
    (error) => `nats-server cannot be started: ${reasonOf(error)} (log: ${join(folder.nats, 'nats-server.log')})`,
  );
  onStarted(server);
  return { server, url: server.url, urlFor: (service) => withUser(server.url, service) };
};

/** Starts Postgres and nats-server unless they are given; checks that given servers can be reached. @throws StackError that says what to do. */
export async function startBackends(options: BackendOptions): Promise<Backends> {
  const [database, bus] = await Promise.allSettled([startDatabase(options), startBus(options)]);
  if (database.status === 'rejected') throw database.reason;
  if (bus.status === 'rejected') throw bus.reason;
  return {
    servers: [database.value.server, bus.value.server].filter((server) => server !== undefined),
    postgresUrl: database.value.ownerUrl,
    natsUrl: bus.value.url,
    natsUrlFor: bus.value.urlFor,
    eventLogUrlFor: database.value.eventLogUrlFor,
    readModelsUrlFor: database.value.readModelsUrlFor,
  };
}
