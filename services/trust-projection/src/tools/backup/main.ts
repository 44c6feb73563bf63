/** `npm run backup`: copies what cannot be computed from anything else into a folder, and verifies such a folder. */
import { resolve } from 'node:path';
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { findSource } from './find-source.ts';
import { ensureUsed, prepareTarget } from './prepare-target.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { nameOf } from './parts.ts';
import { readSecretsFile } from './secrets.ts';
import { verifyBackup } from './verify-backup.ts';

const whole = (value: number): string => value.toLocaleString('en');

const summaryOf = ({ log, checkpoint, secrets, madeAt }: Manifest): string[] => [
  `Made at ${madeAt}. Log: ${log === null ? 'empty' : `${whole(log.events)} events, up to position ${log.lastPosition}`}.`,
  checkpoint === null ? 'Nothing was signed yet.' : `Signed: ${checkpoint.origin}, ${whole(checkpoint.size)} events.`,
  secrets === null
    ? 'No secrets: keep them apart. Without PERSONAL_DATA_KEY, contacts cannot be read after a restore.'
    : 'It has the secrets of the registry: keep it as secret as them, or encrypt it.',
];

await runCommand({
  usage: `Usage: npm run backup -- --to <folder> [--without-secrets]
       npm run backup -- --verify <folder> [--secrets <file>]

Copies the event log, the keys of personal data, what was signed and the webhooks' progress into a new folder that only you can read, while the
registry runs. Read models are not copied: a restore computes them. Uses the development stack on DATA_DIR, with its secrets; or DATABASE_URL and
EVENT_LOG_URL, with users that may read everything (pg_read_all_data), without secrets. docs/backup.md has more.
  --to <folder>        does not exist yet, or is empty
  --without-secrets    leaves the secrets out, which are kept elsewhere then
  --verify <folder>    reads a whole backup, and says whether it can be restored
  --secrets <file>     secrets.json, for a backup without secrets: whether they open its keys

Exit codes: 0 done; 1 failed, or not verified; 2 wrong arguments; 130 stopped.`,
  options: {
    to: { type: 'string' },
    'without-secrets': { type: 'boolean' },
    verify: { type: 'string' },
    secrets: { type: 'string' },
  },
  stopped: 'Stopped. Nothing was made.',
  run: async ({ to, 'without-secrets': withoutSecrets, verify, secrets }, signal) => {
    if ((to === undefined) === (verify === undefined)) throw new ArgumentsError('Give either --to or --verify.');
    ensureUsed({ verify, withoutSecrets, secrets });
    if (verify !== undefined) {
      const given = secrets === undefined ? null : readSecretsFile(resolve(secrets));
      const manifest = await verifyBackup(resolve(verify), { given, env: process.env, signal });
      say(`${resolve(verify)} is whole.`);
      for (const line of summaryOf(manifest)) say(line);
      return 0;
    }
    prepareTarget(resolve(to ?? ''), process.env);
    await using resources = new AsyncDisposableStack();
    const source = resources.adopt(await findSource(process.env, complain), (it) => it.release());
    say(`Backing up ${source.description}.`);
    const manifest = await makeBackup({
      urls: source.urls,
      readSecrets: withoutSecrets === true ? null : source.readSecrets,
      to: to ?? '',
      onPart: (part) => say(`  ${nameOf(part)}: ${whole(part.rows)} rows, ${whole(part.bytes)} bytes`),
      env: process.env,
      onVerify: () => say('Reading it back.'),
      signal,
    });
    for (const line of summaryOf(manifest)) say(line);
    if (source.secretsOfEnvironment.length > 0)
      complain(
        `The environment sets ${source.secretsOfEnvironment.join(', ')}, which counts instead of the file and is not in the backup: keep it, too.`,
      );
    say(`The backup is in ${resolve(to ?? '')}.`);
    return 0;
  },
});
