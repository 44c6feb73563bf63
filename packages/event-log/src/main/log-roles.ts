/** `npm run log:roles`: makes the event log in a Postgres database, and gives existing roles their rights on it. */
import { ArgumentsError, runCommand, say } from '@agent-trust/command-line';
import { grantEventLogAccess, migratePostgresEventLog } from '../postgres/migrate.ts';

const role = { type: 'string', multiple: true } as const;

await runCommand({
  usage: `Usage: npm run log:roles -- --writer <role>… --reader <role>… [--retention <role>]

Makes the schema event_log in a Postgres database, or brings it up to date, and gives existing roles exactly their rights on it. Run it before
the first start, and after an update of the registry; the services may run. Repeating it changes nothing.
  --writer <role>      reads and appends: registry_write, call_proxy and pay_proxy. May be repeated
  --reader <role>      only reads: trust_projection. May be repeated
  --retention <role>   also removes archived exchanges: the role of npm run archive, and of no service

Reads EVENT_LOG_OWNER_URL: the database, as a user that may create a schema there and owns the event log from then on. No service has it.

Exit codes: 0 done; 1 failed; 2 wrong arguments or settings.`,
  options: { writer: role, reader: role, retention: role },
  run: async ({ writer: writers = [], reader: readers = [], retention = [] }) => {
    const ownerUrl = process.env['EVENT_LOG_OWNER_URL']?.trim() ?? '';
    if (!/^postgres(?:ql)?:\/\//u.test(ownerUrl))
      throw new ArgumentsError(
        'Set EVENT_LOG_OWNER_URL to the address of the database: postgres://owner:password@host/name.',
      );
    const both = [...writers, ...retention].find(
      (name) => readers.includes(name) || (writers.includes(name) && retention.includes(name)),
    );
    if (both !== undefined) throw new ArgumentsError(`${both} is given twice: each user has a role of its own.`);
    const applied = await migratePostgresEventLog(ownerUrl);
    say(applied.length === 0 ? 'The event log is up to date.' : `Migrations of the event log: ${applied.join(', ')}.`);
    await grantEventLogAccess(ownerUrl, { writers, readers, retention });
    for (const [names, may] of [
      [writers, 'reads and appends'],
      [readers, 'reads'],
      [retention, 'reads, appends, and removes archived exchanges'],
    ] as const) {
      for (const name of names) say(`${name}: ${may}`);
    }
    return 0;
  },
});
