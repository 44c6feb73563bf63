import type { PolicySimulation, TrustPolicy } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type JobKind, LabJob } from './lab-job.tsx';
import { SimulatedCourse } from './simulated-course.tsx';

const simulations: JobKind<PolicySimulation> = {
  name: 'policy simulation',
  start: async (client, policy) => (await client.ops.startPolicySimulation({ policy })).simulation_id,
  ask: (client, id, signal) => client.ops.policySimulation(id, { signal }),
  stop: (client, id) => client.ops.cancelPolicySimulation(id),
};

/** How a policy stands the attacks that every policy is tried against, and where its gates are missed. */
export function Simulation({ policy }: { policy: TrustPolicy }): ReactElement {
  return (
    <LabJob
      title="How it stands attacks"
      words={{ begin: 'Attack it', again: 'Attack it again' }}
      kind={simulations}
      policy={policy}
    >
      {(simulation, id) => <Attacks simulation={simulation} simulationId={id} />}
    </LabJob>
  );
}

type Figure = PolicySimulation['attacks'][number]['figures'][number] & {
  attack: string;
  title: string;
};

const numberText = (value: number | null): string => (value === null ? 'never' : String(value));

function Attacks({ simulation, simulationId }: { simulation: PolicySimulation; simulationId: string }): ReactElement {
  const [plotted, setPlotted] = useState<string | null>(null);
  const { attacks, attacks_total: total, proven } = simulation;
  const columns: readonly Column<Figure>[] = [
    { head: 'Attack', cell: ({ title }) => title },
    { head: 'Figure', cell: ({ figure }) => figure },
    { head: 'Gate', cell: ({ gate }) => (gate === null ? 'none' : `${gate.relation} ${gate.limit}`) },
    { head: 'Worst', cell: ({ worst }) => numberText(worst), isNumber: true },
    {
      head: 'Held',
      cell: ({ gate, missed_seeds: missed, known_misses: known }) => {
        if (gate === null) return 'not asked';
        if (missed.length === 0) return 'yes';
        return `${missed.every((seed) => known.includes(seed)) ? 'known to miss it' : 'no'}: seeds ${missed.join(', ')}`;
      },
    },
    {
      head: 'Controls',
      cell: ({ controls }) =>
        controls
          .map(({ name, best, passed_seeds: passed }) => {
            const meets = passed.length === 0 ? '' : ', meets it, and must not';
            return `${name}: ${numberText(best)}${meets}`;
          })
          .join('; '),
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
    <>
      <p role="status">
        {attacks.length} of {total} attacks played.
        {proven === true && ' Every gate held but for known misses, and every control missed.'}
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
        <SimulatedCourse key={plotted} simulationId={simulationId} attack={plotted} onClose={() => setPlotted(null)} />
      )}
    </>
  );
}
