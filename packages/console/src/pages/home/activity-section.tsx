import type { Activity, Mover, NewAgent } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { agentColumn, trustColumn } from '../../ui/agent-columns.tsx';
import { Chart } from '../../ui/chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Ago } from '../../ui/moment.tsx';
import { ScoreBadge } from '../../ui/score-badge.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { Name } from '../../ui/text.tsx';
import styles from './home.module.css';

const dayColumns: readonly Column<Activity['days'][number]>[] = [
  { head: 'Day (UTC)', cell: ({ day }) => day },
  { head: 'Calls', cell: ({ calls }) => calls.toLocaleString('en'), isNumber: true },
  { head: 'Reviews', cell: ({ reviews }) => reviews.toLocaleString('en'), isNumber: true },
  { head: 'Registrations', cell: ({ registrations }) => registrations.toLocaleString('en'), isNumber: true },
];

const newestColumns: readonly Column<NewAgent>[] = [
  agentColumn,
  { head: 'Organisation', cell: ({ org_name: name }) => (name === null ? 'none' : <Name text={name} />) },
  trustColumn,
  { head: 'Registered', cell: ({ registered_at: at }) => <Ago at={at} /> },
];

const moverColumns: readonly Column<Mover>[] = [
  agentColumn,
  { head: 'Was', cell: ({ previous_score: score }) => score, isNumber: true },
  { head: 'Is', cell: ({ trust_score: score }) => <ScoreBadge score={score} /> },
];

/** What happened in the last days, who moved, and who is new. */
export function ActivitySection({ activity }: { activity: Activity }): ReactElement {
  const { days, newest, rising, falling } = activity;
  return (
    <>
      <Section title="The last days">
        <Chart
          label="Calls, reviews and registrations of each day"
          times={days.map(({ day }) => Date.parse(day))}
          series={[
            { name: 'calls', values: days.map(({ calls }) => calls) },
            { name: 'reviews', values: days.map(({ reviews }) => reviews) },
            { name: 'registrations', values: days.map(({ registrations }) => registrations) },
          ]}
        >
          <DataTable caption="Each day" columns={dayColumns} rows={days} keyOf={({ day }) => day} />
        </Chart>
      </Section>
      <div className={styles['columns']}>
        <Movers title="Rising" movers={rising} />
        <Movers title="Falling" movers={falling} />
      </div>
      <Section title="Newest agents">
        <DataTable
          caption="Newest agents with an endpoint"
          hidesCaption
          columns={newestColumns}
          rows={newest}
          keyOf={({ agent_id: agentId }) => agentId}
        />
      </Section>
    </>
  );
}

function Movers({ title, movers }: { title: string; movers: readonly Mover[] }): ReactElement {
  return (
    <Section title={title}>
      {movers.length === 0 ? (
        <Empty>No score has moved that way lately.</Empty>
      ) : (
        <DataTable
          caption={`${title} scores`}
          hidesCaption
          columns={moverColumns}
          rows={movers}
          keyOf={({ agent_id: agentId }) => agentId}
        />
      )}
    </Section>
  );
}

/** Whether nothing has happened lately that a page could show. */
export function isQuiet({ newest, days }: Activity): boolean {
  return (
    newest.length === 0 && days.every(({ calls, reviews, registrations }) => calls + reviews + registrations === 0)
  );
}
