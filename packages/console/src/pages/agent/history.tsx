import type { TrustChange } from '@agent-trust/client';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { agentPage } from '../../agent-address.ts';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Section } from '../../ui/section.tsx';
import { Code } from '../../ui/text.tsx';
import { timeText } from '../../ui/time.ts';
import { type ChangesWindow, newerEnd } from './changes-window.ts';
import { markMs } from './moments.ts';

export type HistoryProps = {
  shown: ChangesWindow;
  /** Shows the changes before this many; null for the newest. */
  onEnd: (end: number | null) => void;
  /** Of the moment that the page shows; undefined for now. */
  momentTime: string | undefined;
  agentId: string;
};

/** What a step of the chart is. */
const stepText = ({ at, cause, previous_score: before, trust_score: after }: TrustChange): string =>
  `${timeText(at)}: ${cause.type}, ${before === null ? `begins at ${after}` : `${before} → ${after}`}`;

/** The score's history: each step has a cause, which a click opens. */
export function History({ shown, onEnd, momentTime, agentId }: HistoryProps): ReactElement {
  const [opened, setOpened] = useState<TrustChange | null>(null);
  const { changes, from, total } = shown;
  const end = from + changes.length;
  return (
    <Section title="History of the score">
      {total > changes.length && (
        <nav aria-label="Parts of the history" className="row">
          <span role="status">
            Changes {(from + 1).toLocaleString('en')} to {end.toLocaleString('en')} of {total.toLocaleString('en')}
          </span>
          <button type="button" disabled={from === 0} onClick={() => onEnd(from)}>
            Older changes
          </button>
          <button type="button" disabled={end >= total} onClick={() => onEnd(newerEnd(shown))}>
            Newer changes
          </button>
        </nav>
      )}
      <Chart
        label="The score over time. A click on a step opens its cause."
        times={changes.map(({ at }) => Date.parse(at))}
        series={[{ name: 'Score', values: changes.map(({ trust_score: score }) => score), shape: 'steps' }]}
        range={[0, 100]}
        markMs={markMs(momentTime, shown)}
        nameOf={(index) => changes[index] && stepText(changes[index])}
        onPick={(index) => setOpened(changes[index] ?? null)}
      >
        <DataTable
          caption="Changes of the score"
          columns={[
            { head: 'When', cell: ({ at }) => <Moment at={at} /> },
            { head: 'Before', cell: ({ previous_score: before }) => before ?? '–', isNumber: true },
            { head: 'After', cell: ({ trust_score: after }) => after, isNumber: true },
            {
              head: 'Cause',
              cell: (change) => (
                <button type="button" className="small" onClick={() => setOpened(change)}>
                  {change.cause.type}
                  <span className="visually-hidden"> at position {change.position}</span>
                </button>
              ),
            },
          ]}
          rows={changes}
          keyOf={({ position }) => position}
        />
      </Chart>
      <Dialog title="Cause of the change" place="side" isOpen={opened !== null} onClose={() => setOpened(null)}>
        {opened !== null && (
          <>
            <Facts
              facts={[
                ['Event', <Code key="type" text={opened.cause.type} />],
                ['When', <Moment key="at" at={opened.at} />],
                ['Score', `${opened.previous_score ?? '–'} → ${opened.trust_score}`],
                ['Position in the log', opened.position],
                ['Event id', <Code key="id" text={opened.cause.event_id} />],
                [
                  'Exchange',
                  opened.cause.transaction_id === null ? '–' : <Code key="x" text={opened.cause.transaction_id} />,
                ],
                ['Trust policy', opened.trust_policy],
              ]}
            />
            <p>
              <Link
                to={agentPage}
                params={{ agentId }}
                search={{ as_of: opened.position }}
                onClick={() => setOpened(null)}
              >
                The whole page as of this change
              </Link>
            </p>
            <p>
              {/* A position is one that the audit page understands in its address. */}
              <Link to="/audit" search={{ position: opened.position, agent_id: agentId } as never}>
                This event in the audit trail
              </Link>
            </p>
          </>
        )}
      </Dialog>
    </Section>
  );
}
