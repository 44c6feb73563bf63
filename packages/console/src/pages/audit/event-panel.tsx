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
import { actorText, isLogged, requestOf, type ShownEvent } from './event-words.ts';
import { InclusionCheck } from './inclusion-check.tsx';
import styles from './event-panel.module.css';
import type { AuditSearch } from './search.ts';
import type { EventSource } from './use-events.ts';

export type EventPanelProps = { position: string; search: AuditSearch; source: EventSource; onClose: () => void };

/** One event in full, with the others of its request and its proof of inclusion. */
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

function Details({
  event,
  search,
  source,
}: Omit<EventPanelProps, 'position' | 'onClose'> & { event: ShownEvent }): ReactElement {
  const request = requestOf(event);
  const trace = isLogged(event) ? traceLink(installation, event.metadata['traceparent']) : null;
  return (
    <>
      <Facts
        facts={[
          ['What', event.type],
          ['Recorded', <Moment key="at" at={event.recorded_at} />],
          ['Caused by', <Foreign key="by" text={actorText(event)} />],
          [
            'Stream',
            isLogged(event) ? (
              <Foreign key="stream" text={`${event.stream}, revision ${event.revision}`} />
            ) : (
              'not shown'
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
      {request !== null && <SameRequest request={request} event={event} search={search} source={source} />}
      {isLogged(event) && <InclusionCheck event={event} />}
    </>
  );
}

type SameRequestProps = { request: string; event: ShownEvent; search: AuditSearch; source: EventSource };

/** The events of one request, or of one call, oldest first: each is a cause of the next. */
function SameRequest({ request, event, search, source }: SameRequestProps): ReactElement {
  const others = useAsk(['request', request, search.agent_id], (client, signal) =>
    source.page(client, { correlation_id: request, order: 'asc', limit: 50 }, signal),
  );
  return (
    <>
      <h3>All events of its request</h3>
      <p>
        <Code text={request} />
      </p>
      <Answer of={others} what="the events of its request">
        {({ events, next }) => (
          <>
            {next !== null && <p>The first {events.length}; there are more.</p>}
            <ol>
              {events.map(({ position, type }) => (
                <li key={position}>
                  {position === event.position ? (
                    <strong>{type}</strong>
                  ) : (
                    <Link to="/audit" search={{ ...search, position }}>
                      {type}
                    </Link>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Answer>
    </>
  );
}
