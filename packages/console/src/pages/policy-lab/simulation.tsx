import type { PolicySimulation, TrustPolicy } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, ErrorNote } from '../../ui/states.tsx';
import { SimulatedCourse } from './simulated-course.tsx';
import { isUnderWay, jobLookEveryMs, JobNote } from './job-note.tsx';

/** How a policy stands the attacks that every policy is tried against, and where its gates are missed. */
export function Simulation({ policy }: { policy: TrustPolicy }): ReactElement {
  const start = useChange((client, tried: TrustPolicy) => client.ops.startPolicySimulation({ policy: tried }));
  return (
    <Section
      title="How it stands attacks"
      aside={
        <button type="button" disabled={start.isPending} onClick={() => start.mutate(policy)}>
          {start.data === undefined ? 'Attack it' : 'Attack it again'}
        </button>
      }
    >
      {start.error !== null && <ErrorNote error={start.error} />}
      {start.data !== undefined && <Followed key={start.data.simulation_id} simulationId={start.data.simulation_id} />}
    </Section>
  );
}

type Figure = PolicySimulation['attacks'][number]['figures'][number] & {
  attack: string;
  title: string;
};

const numberText = (value: number | null): string => (value === null ? 'never' : String(value));

function Followed({ simulationId }: { simulationId: string }): ReactElement {
  const [plotted, setPlotted] = useState<string | null>(null);
  const key = ['policy simulation', simulationId] as const;
  const simulation = useAsk(key, (client, signal) => client.ops.policySimulation(simulationId, { signal }), {
    everyMs: (job) => (job === undefined || isUnderWay(job) ? jobLookEveryMs : undefined),
  });
  const stop = useChange((client, id: string) => client.ops.cancelPolicySimulation(id), [key]);
  const columns: readonly Column<Figure>[] = [
    { head: 'Attack', cell: ({ title }) => title },
    { head: 'Figure', cell: ({ figure }) => figure },
    { head: 'Gate', cell: ({ gate }) => (gate === null ? 'none' : `${gate.relation} ${gate.limit}`) },
    { head: 'Worst', cell: ({ worst }) => numberText(worst), isNumber: true },
    {
      head: 'Held',
      cell: ({ gate, missed_seeds: missed }) => {
        if (gate === null) return 'not asked';
        return missed.length === 0 ? 'yes' : `no: seeds ${missed.join(', ')}`;
      },
    },
    {
      head: 'Plot',
      cell: ({ attack, title }) => (
        <button type="button" className="small" onClick={() => setPlotted(attack)}>
          Show<span className="visually-hidden"> {title}</span>
        </button>
      ),
    },
  ];
  return (
    <Answer of={simulation} what="the simulation">
      {({ attacks, attacks_total: total, proven, ...job }) => (
        <>
          <JobNote job={job} onStop={() => stop.mutate(simulationId)} />
          {stop.error !== null && <ErrorNote error={stop.error} />}
          <p role="status">
            {attacks.length} of {total} attacks played.
            {proven === true && ' Every gate held, and every control missed.'}
            {proven === false && ' Not every gate held, or a control passed one.'}
          </p>
          {attacks.length > 0 && (
            <DataTable
              caption="Attacks, and what each policy has to withstand"
              columns={columns}
              rows={attacks.flatMap(({ attack, title, figures }) =>
                figures.map((figure): Figure => ({ ...figure, attack, title })),
              )}
              keyOf={({ attack, figure }) => `${attack} ${figure}`}
            />
          )}
          {plotted !== null && (
            <SimulatedCourse
              key={plotted}
              simulationId={simulationId}
              attack={plotted}
              onClose={() => setPlotted(null)}
            />
          )}
        </>
      )}
    </Answer>
  );
}
