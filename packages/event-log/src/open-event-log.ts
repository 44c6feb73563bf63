import { EventLogSetupError } from './errors.ts';
import type { AdapterOptions } from './adapter.ts';
import type { EventLog } from './port.ts';
import type { LogRetention } from './retention.ts';
import { judgeRights, type LogUse, type RightsCheck, type RightsReport } from './rights/report.ts';

/**
 * Opens the event log at `url` for a service, and refuses one that this build cannot read, or whose user has not the rights that `rights` asks
 * for. Without `rights`, they are not looked at: commands may be run by an administrator.
 */
export async function openCheckedEventLog(
  url: string,
  { rights, ...options }: AdapterOptions & { rights?: RightsCheck } = {},
): Promise<EventLog> {
  // First, because it says what to do where reading the format is only refused.
  if (rights !== undefined) judgeRights(await inspectRights(url, rights.use, options.applicationName), rights);
  const log = await openEventLog(url, options);
  try {
    await log.checkFormat();
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * Opens the event log at `url`: `postgres://`, `postgresql://`, or `esdb://`, `esdb+discover://`, `kurrentdb://`, `kurrentdb+discover://`. The
 * adapter is loaded on demand, so a service on Postgres never loads gRPC. Connects at the first call.
 */
export async function openEventLog(url: string, options: AdapterOptions = {}): Promise<EventLog> {
  const scheme = url.slice(0, Math.max(0, url.indexOf(':')));
  switch (scheme) {
    case 'postgres':
    case 'postgresql': {
      const { openPostgresEventLog } = await import('./postgres/event-log.ts');
      return openPostgresEventLog(url, options);
    }
    case 'esdb':
    case 'esdb+discover':
    case 'kurrentdb':
    case 'kurrentdb+discover': {
      const { openEventStoreDbEventLog } = await import('./eventstoredb/event-log.ts');
      return openEventStoreDbEventLog(url.replace(/^kurrentdb/, 'esdb'), options);
    }
    default:
      throw new EventLogSetupError(
        `EVENT_LOG_URL must start with postgres:// or esdb://, not ${JSON.stringify(`${scheme}:`)}.`,
      );
  }
}

/** Opens what only the user of retention may do with the log at `url`, whose forms are those of `openEventLog`. */
export async function openLogRetention(url: string, options: AdapterOptions = {}): Promise<LogRetention> {
  if (/^postgres(?:ql)?:/u.test(url)) {
    const { openPostgresRetention } = await import('./postgres/retention.ts');
    return openPostgresRetention(url, options);
  }
  const { openEventStoreDbRetention } = await import('./eventstoredb/retention.ts');
  return openEventStoreDbRetention(url.replace(/^kurrentdb/, 'esdb'), options);
}

/** What is wrong with the rights of the user of `url` for one who uses the log so. Rejects with `EventLogError`. */
async function inspectRights(url: string, use: LogUse, name = 'event-log'): Promise<RightsReport> {
  if (!/^postgres(?:ql)?:/u.test(url)) {
    const { inspectEventStoreDbRights } = await import('./eventstoredb/rights.ts');
    return inspectEventStoreDbRights(url.replace(/^kurrentdb/, 'esdb'), use, name);
  }
  const { inspectPostgresRights } = await import('./postgres/rights.ts');
  return inspectPostgresRights(url, use, name);
}
