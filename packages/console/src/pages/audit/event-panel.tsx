import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { installation } from '../../installation.ts';
import { traceLink } from '../../links.ts';
import { useAsk } from '../../session/use-ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Code, Foreign } from '../../ui/text.tsx';
import { entryOf } from './event-entry.ts';
import { actorText, callOf, causeOf, isLogged, requestOf, type ShownEvent, traceparentOf } from './event-words.ts';
import { InclusionCheck } from './inclusion-check.tsx';
import styles from './event-panel.module.css';
import type { AuditSearch } from './search.ts';
import type { EventSource } from './use-events.ts';

export type EventPanelProps = { position: string; search: AuditSearch; source: EventSource; onClose: () => void };

/** What the page searches, and with which credential. */
type Where = Pick<EventPanelProps, 'search' | 'source'>;

/** One event in full, with its cause, the others of its call and of its request, and its proof of inclusion. */
export function EventPanel({ position, search, source, onClose }: EventPanelProps): ReactElement {
  // The newest event before the next position is this one, if it is there.
  const found = useAsk(['event', position, search.agent_id], async (client, signal) => {
    const { events } = await source.page(
      client,
      { ...agentOf(search), before: String(BigInt(position) + 1n), order: 'desc', limit: 1 },
      signal,
    );
    return events.find((event) => event.position === position) ?? null;
  });
  return (
    <Dialog title={`Event at position ${position}`} isOpen onClose={onClose} place="side">
      <Answer of={found} what="the event">
        {(event) =>
          event === null ? (
            <Empty>No event that you may see is at this position.</Empty>
          ) : (
            <Details event={event} search={search} source={source} />
          )
        }
      </Answer>
    </Dialog>
  );
}

const agentOf = ({ agent_id: agentId }: AuditSearch): { agent_id?: string } =>
  agentId === undefined ? {} : { agent_id: agentId };

function Details({ event, search, source }: Where & { event: ShownEvent }): ReactElement {
  const request = requestOf(event);
  const call = callOf(event);
  const trace = traceLink(installation, traceparentOf(event));
  const place = isLogged(event) ? event : entryOf(event);
  return (
    <>
      <Facts
        facts={[
          ['What', event.type],
          ['Recorded', <Moment key="at" at={event.recorded_at} />],
          ['Done by', <Foreign key="by" text={actorText(event)} />],
          ...(call === null && request === null
            ? []
            : [['Caused by', <Cause key="cause" isLink {...{ event, search, source }} />] as const]),
          [
            'Stream',
            place === null ? (
              'not shown'
            ) : (
              <Foreign key="stream" text={`${place.stream}, revision ${place.revision}`} />
            ),
          ],
          ['Id', <Code key="id" text={event.event_id} />],
          ...(trace === null
            ? []
            : [
                [
                  'Trace',
                  <Elsewhere key="trace" href={trace}>
                    The trace of its request
                  </Elsewhere>,
                ] as const,
              ]),
        ]}
      />
      <h3>Data</h3>
      <pre className={styles['data']} tabIndex={0} role="region" aria-label="Data of the event">
        <code>
          <bdi>{JSON.stringify(event.data, null, 2)}</bdi>
        </code>
      </pre>
      {call !== null && (
        <Together heading="All events of its call" name={call} by="transaction_id" {...{ event, search, source }} />
      )}
      {request !== null && (
        <Together
          heading="All events of its request"
          name={request}
          by="correlation_id"
          {...{ event, search, source }}
        />
      )}
      <InclusionCheck event={event} />
    </>
  );
}

/** How many events of a call or a request are listed. */
const listedMax = 50;

/** The events of one call or of one request. @param name null asks nothing */
function useTogether(by: 'transaction_id' | 'correlation_id', name: string | null, { search, source }: Where) {
  return useAsk(
    [by, name, search.agent_id],
    (client, signal) => source.page(client, { [by]: name ?? '', order: 'asc', limit: listedMax }, signal),
    { enabled: name !== null },
  );
}

type CauseProps = Where & {
  event: ShownEvent;
  /** Whether it leads to the cause. */
  isLink?: boolean;
};

/** What caused an event: another event of the same call, or the request that recorded it. */
function Cause({ event, isLink = false, ...where }: CauseProps): ReactElement {
  const call = callOf(event);
  const together = useTogether('transaction_id', call, where);
  if (call === null || event.type === 'ExchangeStarted') return <>its request</>;
  if (together.data === undefined) return <>{together.isError ? 'unknown' : '…'}</>;
  const cause = causeOf(event, together.data.events);
  if (cause === null) return <>an event that has left the log</>;
  return isLink ? <OpensEvent event={cause} search={where.search} /> : <>{cause.type}</>;
}

type TogetherProps = Where & {
  heading: string;
  /** Of the call or the request. */
  name: string;
  by: 'transaction_id' | 'correlation_id';
  event: ShownEvent;
};

/** The events of one call or of one request, oldest first, with what caused each. */
function Together({ heading, name, by, event, search, source }: TogetherProps): ReactElement {
  const together = useTogether(by, name, { search, source });
  return (
    <>
      <h3>{heading}</h3>
      <p>
        <Code text={name} />
      </p>
      <Answer of={together} what={heading.toLowerCase()}>
        {({ events, next }) => (
          <>
            {next !== null && <p>The first {events.length}; there are more.</p>}
            <ol aria-label={heading}>
              {events.map((one) => (
                <li key={one.position}>
                  {one.position === event.position ? (
                    <strong>{one.type}</strong>
                  ) : (
                    <OpensEvent event={one} search={search} />
                  )}
                  , caused by <Cause event={one} search={search} source={source} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Answer>
    </>
  );
}

function OpensEvent({ event: { position, type }, search }: Pick<TogetherProps, 'event' | 'search'>): ReactElement {
  return (
    <Link to="/audit" search={{ ...search, position }}>
      {type}
    </Link>
  );
}
