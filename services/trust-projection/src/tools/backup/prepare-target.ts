import { dirname } from 'node:path';
import { ArgumentsError, ensureApart, makeFolder } from '@agent-trust/command-line';
import { dataFolderOf } from './find-source.ts';

/** The folder above that of a new backup is there after it. @throws FolderError if it cannot be made, or the backup would lie with the data of DATA_DIR */
export function prepareTarget(target: string, env: NodeJS.ProcessEnv): void {
  ensureApart(target, dataFolderOf(env), 'a backup is lost with the data it lies with; name a folder elsewhere.');
  makeFolder(dirname(target));
}

/** @throws ArgumentsError for an option of one task that was given with the other */
export function ensureUsed(options: { verify: unknown; withoutSecrets: unknown; secrets: unknown }): void {
  const { verify, withoutSecrets, secrets } = options;
  if (verify !== undefined && withoutSecrets !== undefined)
    throw new ArgumentsError('--without-secrets is for --to: to verify a backup without secrets, leave it out.');
  if (verify === undefined && secrets !== undefined)
    throw new ArgumentsError('--secrets is for --verify: a backup has the secrets of the registry.');
}
