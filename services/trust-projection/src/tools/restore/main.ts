/** `npm run restore`: makes a registry from a backup, in an empty data folder or empty databases. */
import { resolve } from 'node:path';
import { ArgumentsError, runCommand, say } from '@agent-trust/command-line';
import { BackupError } from '../backup/backup-error.ts';
import { dataFolderOf, ensurePostgres } from '../backup/find-source.ts';
import type { ManifestPart } from '../backup/manifest.ts';
import { nameOf } from '../backup/parts.ts';
import { readSecretsFile } from '../backup/secrets.ts';
import { secretsOf, verifyBackup } from '../backup/verify-backup.ts';
import { restoreTables } from './restore-tables.ts';

const onPart = (part: ManifestPart): void => say(`  ${nameOf(part)}: ${part.rows.toLocaleString('en')} rows`);

const newerCheckpoints = (origin: string): string[] => [
  `If anybody may have seen a newer checkpoint of ${origin}, the log needs another name before it takes a write, or readers will take it for forged:`,
  '  npm run log:accept -- --yes --new-origin <name>',
];

await runCommand({
  usage: `Usage: npm run restore -- --from <folder> [--secrets <file>]

Verifies a backup of npm run backup and makes a registry from it: in the folder DATA_DIR, which must not exist or be empty; or in the databases of
DATABASE_URL and EVENT_LOG_URL, which must have no registry yet, with users that own them. Read models are computed when the registry starts.
Nothing is in its place before all of it is. docs/backup.md has more.
  --from <folder>     the backup
  --secrets <file>    secrets.json, for a backup without secrets

Exit codes: 0 restored; 1 failed, nothing was restored; 2 wrong arguments; 130 stopped.`,
  options: { from: { type: 'string' }, secrets: { type: 'string' } },
  stopped: 'Stopped. Nothing was restored.',
  run: async ({ from, secrets: secretsFile }, signal) => {
    if (from === undefined) throw new ArgumentsError('--from is missing');
    const folder = resolve(from);
    const given = secretsFile === undefined ? null : readSecretsFile(resolve(secretsFile));
    const { DATABASE_URL: database, EVENT_LOG_URL: eventLog } = process.env;
    if (!database !== !eventLog)
      throw new BackupError('Set both DATABASE_URL and EVENT_LOG_URL, or neither to restore into DATA_DIR.');
    if (eventLog) ensurePostgres(eventLog);
    say(`Verifying ${folder}.`);
    const manifest = await verifyBackup(folder, { given, env: process.env, signal });
    if (database && eventLog) {
      await restoreTables({ folder, manifest, urls: { database, eventLog }, onPart, signal });
      say(
        'Restored into the databases of DATABASE_URL and EVENT_LOG_URL. Start the services with the secrets of the registry.',
      );
    } else {
      const secrets = given ?? secretsOf(folder, manifest);
      if (secrets === null)
        throw new BackupError(
          'The backup has no secrets: give them with --secrets <file>, or contacts could not be read.',
        );
      const { makeDataFolder } = await import('@agent-trust/dev-stack');
      const target = dataFolderOf(process.env);
      await makeDataFolder(target, secrets, async (ownerUrl) => {
        await restoreTables({ folder, manifest, urls: { database: ownerUrl, eventLog: ownerUrl }, onPart, signal });
        signal.throwIfAborted();
      });
      say(`Restored into ${target}. Start it with npm start: it computes the read models before it is ready.`);
    }
    if (manifest.checkpoint !== null) for (const line of newerCheckpoints(manifest.checkpoint.origin)) say(line);
    return 0;
  },
});
