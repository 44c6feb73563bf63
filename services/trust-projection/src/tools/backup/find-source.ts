import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupError } from './backup-error.ts';
import type { Place } from './parts.ts';
import { readSecretsFile, type Secrets } from './secrets.ts';

/** The checkout of the project, in which DATA_DIR is looked for, whatever folder the command was called in. */
const projectRoot = resolve(import.meta.dirname, '../../../../..');

export type Source = {
  urls: Readonly<Record<Place, string>>;
  /** Null where the command knows no secrets. */
  readSecrets: (() => Secrets) | null;
  /** Secrets that the environment sets, which count instead of those of the file and are not in it. */
  secretsOfEnvironment: string[];
  /** Where that is, for people; without credentials. */
  description: string;
  release(): Promise<void>;
};

export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return resolve(projectRoot, env['DATA_DIR'] || '.data');
}

/** The databases of the environment, else those of the development stack on DATA_DIR, which is started for the command if needed. @throws BackupError */
export async function findSource(env: NodeJS.ProcessEnv, onProgress: (line: string) => void): Promise<Source> {
  const { DATABASE_URL: database, EVENT_LOG_URL: eventLog } = env;
  if (database && eventLog) {
    ensurePostgres(eventLog);
    const { host, pathname } = new URL(eventLog);
    return {
      urls: { database, eventLog },
      readSecrets: null,
      secretsOfEnvironment: [],
      description: `${host}${pathname}`,
      release: () => Promise.resolve(),
    };
  }
  // Only a checkout of the whole project has the development stack; an installed service has its addresses in settings.
  const { findRunningStack, startStack } = await import('@agent-trust/dev-stack');
  const folder = dataFolderOf(env);
  if (!existsSync(join(folder, 'secrets.json')))
    throw new BackupError(`${folder} has no registry: npm start makes one, or DATA_DIR names another folder.`);
  let release = (): Promise<void> => Promise.resolve();
  if (findRunningStack(folder) === undefined) {
    onProgress('The development stack is not running; starting it for this command…');
    release = (await startStack({ env, dataDir: folder, port: 0, onProgress })).stop;
  }
  const stack = findRunningStack(folder);
  const owner = stack?.ownerEnvironment['PERSONAL_DATA_OWNER_URL'];
  if (stack === undefined || owner === undefined) throw new BackupError(`The stack on ${folder} has just ended.`);
  const ofProjection = stack.environment['EVENT_LOG_URL'] ?? '';
  ensurePostgres(ofProjection);
  const file = join(folder, 'secrets.json');
  return {
    urls: { database: owner, eventLog: isSameDatabase(ofProjection, owner) ? owner : ofProjection },
    readSecrets: () => readSecretsFile(file),
    secretsOfEnvironment: Object.keys(readSecretsFile(file)).filter((name) => env[name]),
    description: `the stack on ${folder}`,
    release,
  };
}

const isSameDatabase = (one: string, other: string): boolean => {
  const [a, b] = [new URL(one), new URL(other)];
  return a.host === b.host && a.pathname === b.pathname;
};

/** @throws BackupError for a log that is not in Postgres */
export function ensurePostgres(eventLogUrl: string): void {
  if (!/^postgres(?:ql)?:/u.test(eventLogUrl))
    throw new BackupError('The event log is in EventStoreDB, which has a backup of its own: docs/eventstoredb.md.');
}
