import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { verifierLimits } from '../limits.ts';
import { leafOfEvent } from './leaf-of-event.ts';
import type { Bookmark, LogSource, SourceLeaf } from './log-source.ts';
import { postgresLog } from './postgres-log.ts';

/** The event log behind EVENT_LOG_URL; one in Postgres is read as it is stored, others by way of the registry's own port. */
export async function eventLogSource(url: string): Promise<LogSource> {
  return /^postgres(?:ql)?:/u.test(url)
    ? postgresLog(url)
    : portSource(await openEventLog(url, { applicationName: 'log-verify' }), url);
}

const portSource = (log: EventLog, url: string): LogSource => {
  async function* pages(from?: Bookmark): AsyncGenerator<SourceLeaf[]> {
    const last = await log.headPosition();
    let index = from?.index ?? 0;
    let after = from === undefined ? null : from.place - 1n;
    for (;;) {
      const events = await log.readAll({ after, countMax: verifierLimits.pageEventsMax });
      const known = events.filter(({ position }) => last !== null && position <= last);
      if (known.length === 0) return;
      yield known.map((event, at) => leafOfEvent(event, index + at, null));
      index += known.length;
      after = known.at(-1)?.position ?? after;
    }
  }
  return {
    description: `the event log ${new URL(url).host}`,
    pages,
    remarks: () => [],
    close: () => log.close(),
  };
};
