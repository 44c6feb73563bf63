import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useAsk, useAskAgain } from '../../session/use-ask.ts';
import { useLive } from '../../session/use-live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { actorText, isLogged, type ShownEvent } from './event-words.ts';
import { ExportButton } from './export-button.tsx';
import type { AuditSearch } from './search.ts';
import type { EventSource } from './use-events.ts';

const pageSize = 50;
/** Older ones are found by a page: a tab that is left open must not grow for ever. */
const liveEventsMax = 200;

export type TimelineProps = { search: AuditSearch; source: EventSource };

/** Events, newest first, with new ones above them while the reader follows. */
export function Timeline({ search, source }: TimelineProps): ReactElement {
  /** The position after which new events are followed, empty before the first one; null while nobody follows. */
  const [after, setAfter] = useState<string | null>(null);
  const [arrived, setArrived] = useState<readonly ShownEvent[]>([]);
  const { query } = source;
  const page = useAsk(['events', query, search.agent_id], (client, signal) =>
    source.page(client, { ...query, order: 'desc', limit: pageSize }, signal),
  );
  const { from: _from, to, before: _before, ...followed } = query;
  // New events come after every other one: none is before a position or a time.
  const mayFollow = search.before === undefined && to === undefined;
  const askAgain = useAskAgain();
  // Several may come before the page is drawn again: those that a broken stream has missed do.
  const state = useLive((event) => setArrived((former) => [event as ShownEvent, ...former]), {
    query: {
      ...followed,
      ...(search.agent_id === undefined ? {} : { agent_id: search.agent_id }),
      ...(after === null || after === '' ? {} : { after }),
    },
    enabled: after !== null && mayFollow,
  });
  const isFull = arrived.length >= liveEventsMax;
  const beginAnew = useEffectEvent(() => {
    // The page is asked for anew, so that none is missing between it and those that come next.
    setArrived([]);
    askAgain(['events']);
  });
  useEffect(() => {
    if (isFull) beginAnew();
  }, [isFull]);
  const columns: readonly Column<ShownEvent>[] = [
    {
      head: 'Position',
      cell: ({ position }) => (
        <Link to="/audit" search={{ ...search, position }}>
          {position}
        </Link>
      ),
    },
    { head: 'Recorded', cell: ({ recorded_at: at }) => <Moment at={at} /> },
    { head: 'Event', cell: ({ type, archived }) => `${type}${archived ? ' (archived)' : ''}` },
    { head: 'Stream', cell: (event) => (isLogged(event) ? <Foreign text={event.stream} /> : (event.universe ?? '')) },
    { head: 'Done by', cell: (event) => <Foreign text={actorText(event)} /> },
  ];
  return (
    <>
      <p className="row">
        <label>
          <input
            type="checkbox"
            checked={after !== null}
            disabled={page.data === undefined || !mayFollow}
            onChange={({ target }) => {
              setArrived([]);
              // From the newest event that is shown on: none falls in between.
              setAfter(target.checked ? (page.data?.events[0]?.position ?? '') : null);
            }}
          />{' '}
          Follow new events
        </label>
        <span role="status">
          {state === 'following' && `Following; ${arrived.length} new.`}
          {state === 'waiting' && 'The stream broke; it is opened again.'}
        </span>
        <ExportButton source={source} />
      </p>
      <Answer of={page} what="events">
        {({ events, next }) => {
          const known = new Set(events.map(({ position }) => position));
          const rows = [...arrived.filter(({ position }) => !known.has(position)), ...events];
          return (
            <>
              {rows.length === 0 ? (
                <Empty>No event has all of this{next === null ? '' : ' in this part of the log'}.</Empty>
              ) : (
                <DataTable
                  caption="Events, newest first"
                  columns={columns}
                  rows={rows}
                  keyOf={({ position }) => position}
                />
              )}
              {next?.before !== undefined && (
                <Link to="/audit" search={{ ...search, position: undefined, before: next.before }}>
                  Older events
                </Link>
              )}
            </>
          );
        }}
      </Answer>
    </>
  );
}
