/** `npm run log:accept`: accepts the event log as it is, where it is not the one of the read models any more. */
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { ReplayInProgressError } from '@agent-trust/projections';
import { createSigningSchema } from '../../log-signing/signed-head-schema.ts';
import { logOrigin } from '../../settings.ts';
import { openPool, openReadModelDatabase } from '../../shared/database.ts';
import { findTarget } from '../common/find-target.ts';
import { progressLines } from '../common/report.ts';
import { acceptLog } from './accept-log.ts';
import { inspectLog, type InspectedLog } from './inspect-log.ts';

const exitCode = { accepted: 0, failed: 1, nothingDone: 3, inProgress: 4 } as const;

const readOrigin = (given: string | undefined): string | undefined => {
  if (given === undefined) return undefined;
  const parsed = logOrigin().safeParse(given);
  if (!parsed.success)
    throw new ArgumentsError('--new-origin must be a URL without its scheme, such as registry.example/log-2');
  return parsed.data;
};

/** What is wrong, for people. */
const findingLines = ({ fault, headPosition, agreedPosition, lostEvents, contradicted }: InspectedLog): string[] => [
  fault === null ? 'The event log has everything that was computed from it.' : `Found: ${fault}.`,
  `The log ends at position ${headPosition ?? 'none: it is empty'}. It has what was read up to position ${agreedPosition ?? 'none'}; ${lostEvents} events that were read are not in it.`,
  ...(contradicted === null
    ? []
    : [
        `A checkpoint of ${contradicted.size} events was signed as ${contradicted.origin}, and others may have seen it. The log does not continue it.`,
      ]),
];

await runCommand({
  usage: `Usage: npm run log:accept -- [--yes] [--new-origin <name>]

Accepts the event log as it is now, after an older copy of it was restored: computes the log record and the read models from it, and lets
writes through again. What the log does not have is gone. Without --yes it only says what it finds. Works while the services run, which
refuse writes meanwhile and start again at the end, and while they are stopped. Uses DATABASE_URL and EVENT_LOG_URL as trust-projection
does, else the development stack on DATA_DIR; starts that stack when it does not run.
  --yes                 do it
  --new-origin <name>   the log's name from now on. Needed where a signed checkpoint contradicts the log: under the former name, readers
                        would take the log for forged. Publish the new name and why

Exit codes: 0 accepted, or nothing to accept; 1 failed; 2 wrong arguments; 3 nothing was changed, --yes or --new-origin is needed; 4 a
replay is in progress; 130 stopped.`,
  options: { yes: { type: 'boolean' }, 'new-origin': { type: 'string' } },
  stopped: 'Stopped. Until it is completed, nothing is written: run it again.',
  exitCodeOf: (error) => (error instanceof ReplayInProgressError ? exitCode.inProgress : exitCode.failed),
  run: async ({ yes = false, 'new-origin': given }, signal) => {
    const newOrigin = readOrigin(given);
    await using resources = new AsyncDisposableStack();
    const target = resources.adopt(await findTarget(process.env, complain), (it) => it.release());
    const connection = { connectionString: target.databaseUrl, application_name: 'log-accept' };
    const log = resources.adopt(
      await openCheckedEventLog(target.eventLogUrl, { applicationName: 'log-accept' }),
      (it) => it.close(),
    );
    const pool = resources.adopt(
      openPool(target.databaseUrl, null, {
        name: 'log_accept',
        application_name: 'log-accept',
        max: 1,
        options: '-c jit=off',
      }),
      (it) => it.end(),
    );
    await createSigningSchema(pool);
    const database = resources.adopt(openReadModelDatabase(target.databaseUrl), (it) => it.close());
    say(`Comparing the event log of ${target.description} with what was computed from it.`);
    const inspected = await inspectLog(log, database);
    for (const line of findingLines(inspected)) say(line);

    if (inspected.fault === null && inspected.contradicted === null && newOrigin === undefined) {
      say('There is nothing to accept.');
      return exitCode.accepted;
    }
    if (inspected.contradicted !== null && newOrigin === undefined) {
      say(
        `Nothing was changed. The log needs another name than ${inspected.contradicted.origin}: give one with --new-origin, and publish it with the reason. Witnesses and readers go on from the first checkpoint under it.`,
      );
      return exitCode.nothingDone;
    }
    if (newOrigin !== undefined && newOrigin === inspected.origin)
      throw new ArgumentsError(`--new-origin is ${newOrigin}, which the log is called already`);
    if (!yes) {
      say(
        'Nothing was changed. If a newer copy of the log exists, restore that one instead; to accept this one, add --yes.',
      );
      return exitCode.nothingDone;
    }
    const progress = resources.adopt(progressLines(process.stdout), (it) => it.end());
    const accepted = await acceptLog({
      connection,
      log,
      agreedPosition: inspected.agreedPosition,
      newOrigin,
      onProgress: progress.show,
      signal,
    });
    progress.end();
    say(
      `Accepted: the read models are computed from the ${accepted.events} events of the log, up to position ${accepted.position ?? 'none'}.`,
    );
    if (newOrigin !== undefined)
      say(`The log is called ${newOrigin} from now on. If LOG_ORIGIN is set, set it to that name or unset it.`);
    say('Services that run start again within seconds, and take writes then.');
    return exitCode.accepted;
  },
});
