import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { newFolderFault } from '@agent-trust/command-line';
import { startEmbeddedPostgres, syncFolder } from '@agent-trust/embedded-servers';
import { keepSecrets, openDataFolder, type Secrets, writeSecrets } from './data-folder.ts';
import { prepareDatabase } from './database-access.ts';
import { generatedSecretNames } from './services.ts';
import { StackError } from './stack-error.ts';

/**
 * Makes a data folder of `npm start` with these secrets, and with a database that `fill` fills. The folder has another name until all of it is on the
 * disk; if anything fails, nothing of it stays. Only a process that was killed leaves the folder under that name.
 * @param fill gets the database's address as its owner
 * @throws StackError if there is something else than an empty folder, or a folder that was left behind
 */
export async function makeDataFolder(
  dataDir: string,
  secrets: Secrets,
  fill: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const target = resolve(dataDir);
  const unfinished = `${target}.unfinished`;
  const fault = newFolderFault(target);
  if (fault !== null)
    throw new StackError(
      `The data folder ${target} ${fault}: set DATA_DIR to a folder that does not exist yet, or move this one away`,
    );
  if (existsSync(unfinished))
    throw new StackError(`${unfinished} is of an interrupted restore, or one is under way: remove it if none is`);
  const folder = openDataFolder(unfinished, false);
  try {
    writeSecrets(folder.secretsFile, secrets);
    const all = keepSecrets(folder.secretsFile, generatedSecretNames);
    const server = await startEmbeddedPostgres({ dataDir: folder.postgres });
    try {
      const { ownerUrl } = await prepareDatabase(server.url, all, { eventLog: true });
      await fill(ownerUrl);
    } finally {
      // Its shutdown writes all that it has to the disk.
      await server.stop();
    }
    folder.release();
    if (existsSync(target)) rmdirSync(target);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
  } catch (error) {
    folder.release();
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    throw error;
  }
}
