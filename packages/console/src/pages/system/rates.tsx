import type { OperationsRates } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { timeText } from '../../ui/time.ts';
import { stepsOf, totalOf } from './steps.ts';

/** What was asked and refused, and how far the read models were behind, in steps. */
export function Rates({ rates }: { rates: OperationsRates }): ReactElement {
  const { sum, projection, step_seconds: seconds } = rates;
  const steps = stepsOf(rates);
  const times = steps.map(({ atMs }) => atMs);
  const refused = sum.refusals.map(({ code, counts }) => ({ code, count: totalOf(counts) }));
  return (
    <>
      <Chart
        label={`Calls, verifies and refusals in each ${seconds} seconds, of all gateways`}
        times={times}
        series={[
          { name: 'calls', values: steps.map(({ calls }) => calls) },
          { name: 'verifies', values: steps.map(({ verifies }) => verifies) },
          { name: 'refusals', values: steps.map(({ refusals }) => refusals) },
        ]}
      >
        <DataTable
          caption="In all"
          columns={[
            { head: 'What', cell: ([name]) => name },
            { head: 'Count', cell: ([, count]) => count.toLocaleString('en'), isNumber: true },
          ]}
          rows={[
            ['requests', totalOf(sum.requests)] as const,
            ['calls', totalOf(sum.calls)] as const,
            ['verifies', totalOf(sum.verifies)] as const,
          ]}
          keyOf={([name]) => name}
        />
      </Chart>
      {refused.length === 0 ? (
        <Empty>Nothing was refused.</Empty>
      ) : (
        <DataTable
          caption="Refused, by code"
          columns={[
            { head: 'Code', cell: ({ code }) => <code>{code}</code> },
            { head: 'Requests', cell: ({ count }) => count.toLocaleString('en'), isNumber: true },
          ]}
          rows={refused}
          keyOf={({ code }) => code}
        />
      )}
      {projection !== null && (
        <Chart
          label="How many positions the read models were behind the log"
          times={times}
          series={[{ name: 'lag', values: steps.map(({ lag }) => lag), shape: 'steps' }]}
        >
          <DataTable
            caption={`As ${projection.instance_id} saw it`}
            columns={[
              { head: 'At', cell: ({ atMs }) => timeText(new Date(atMs).toISOString()) },
              { head: 'Behind', cell: ({ lag }) => lag ?? 'unknown', isNumber: true },
            ]}
            rows={steps}
            keyOf={({ atMs }) => String(atMs)}
          />
        </Chart>
      )}
    </>
  );
}
