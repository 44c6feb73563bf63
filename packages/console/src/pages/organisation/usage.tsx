import type { OrgUsage } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Chart } from '../../ui/chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Facts, Section } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';

type Day = OrgUsage['days'][number];

const columns: readonly Column<Day>[] = [
  { head: 'Day (UTC)', cell: ({ day }) => day },
  { head: 'Calls', cell: ({ calls }) => calls.used.toLocaleString('en'), isNumber: true },
  { head: 'Registrations', cell: ({ registrations }) => registrations.used.toLocaleString('en'), isNumber: true },
  { head: 'Reads', cell: ({ reads }) => reads.used.toLocaleString('en'), isNumber: true },
  {
    head: 'Refused',
    cell: ({ calls, registrations, reads }) =>
      (calls.refused + registrations.refused + reads.refused).toLocaleString('en'),
    isNumber: true,
  },
];

const limitText = (limit: number): string => (limit === 0 ? 'no limit' : `${limit.toLocaleString('en')} a day`);

/** What the organisation did by day, beside what it may do. */
export function Usage(): ReactElement {
  const usage = useAsk(['org', 'usage'], (client, signal) => client.org.usage({}, { signal }));
  return (
    <Section title="Usage">
      <Answer of={usage} what="usage">
        {({ days, limits }) => (
          <>
            <Facts
              facts={[
                ['Calls', limitText(limits.calls_per_day)],
                ['Registrations', limitText(limits.registrations_per_day)],
                ['Reads', limitText(limits.reads_per_day)],
              ]}
            />
            <Chart
              label="Calls, reads and registrations of each day"
              times={days.map(({ day }) => Date.parse(day)).toSorted((one, other) => one - other)}
              series={seriesOf(days.toSorted((one, other) => one.day.localeCompare(other.day)))}
            >
              <DataTable caption="Each day" columns={columns} rows={days} keyOf={({ day }) => day} />
            </Chart>
          </>
        )}
      </Answer>
    </Section>
  );
}

const seriesOf = (days: readonly Day[]) => [
  { name: 'calls', values: days.map(({ calls }) => calls.used) },
  { name: 'reads', values: days.map(({ reads }) => reads.used) },
  { name: 'registrations', values: days.map(({ registrations }) => registrations.used) },
];
