import { agentStandings } from '../agent-standing/tables.ts';
import { agentsTouchedBy, type RegistryProjection } from '../registry-event.ts';
import { isSameStanding, lineOf } from './entries.ts';
import { openPastStandings, pastStandings } from './tables.ts';

/** Entries gathered in one row. More make fewer rows of a long past, and each change rewrites a longer one. */
const entriesPerRow = 32;

/** Keeps what agents had earned: the standing as an event found it, under the position of that event. */
export const agentStandingPastProjection: RegistryProjection = {
  name: 'agent-standing-past',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [pastStandings, openPastStandings],
  readsFrom: [agentStandings],
  reads: (event, wanted) => {
    for (const agentId of agentsTouchedBy(event)) {
      wanted.row(agentStandings, agentId);
      wanted.row(openPastStandings, agentId);
    }
  },
  apply: (event, rows) => {
    const untilPosition = event.position;
    for (const agentId of agentsTouchedBy(event)) {
      const before = rows.getBefore(agentStandings, agentId);
      const after = rows.get(agentStandings, agentId);
      if (before === undefined || after === undefined || isSameStanding(before, after)) continue;
      const open = rows.get(openPastStandings, agentId);
      const line = lineOf(untilPosition, before);
      const entries = open === undefined || open.entryCount === 0 ? line : `${open.entries},${line}`;
      const entryCount = (open?.entryCount ?? 0) + 1;
      if (entryCount < entriesPerRow) rows.put(openPastStandings, { agentId, entryCount, entries });
      else {
        rows.insert(pastStandings, { agentId, untilPosition, entries });
        rows.put(openPastStandings, { agentId, entryCount: 0, entries: '' });
      }
    }
  },
};
