import type { TrustPolicies, TrustPolicy } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { PageTitle } from '../../shell/page-title.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { Activation } from './activation.tsx';
import { PolicyForm } from './policy-form-view.tsx';
import { Simulation } from './simulation.tsx';
import { Trial } from './trial.tsx';

/** Who would move under another policy, how it stands attacks, and putting it in force. */
export function Page(): ReactElement {
  const { operator } = useSession();
  return (
    <>
      <PageTitle title="Policy lab" />
      {operator === null ? (
        <Empty>Sign in with an operator's key to try trust policies. Nothing is changed until one is activated.</Empty>
      ) : (
        <Lab />
      )}
    </>
  );
}

type Known = TrustPolicies['policies'][number];

const columns = (
  onEdit: (policy: TrustPolicy) => void,
  onTry: (policy: TrustPolicy) => void,
): readonly Column<Known>[] => [
  { head: 'Policy', cell: ({ name }) => <Foreign text={name} /> },
  { head: 'In force', cell: ({ in_force: inForce }) => (inForce ? 'yes' : 'no') },
  { head: 'Activated', cell: ({ activated_at: at }) => (at === null ? 'not recorded' : <Moment at={at} />) },
  {
    head: 'Begin with it',
    cell: ({ name, document }) => (
      <span className="row">
        <button type="button" className="small" onClick={() => onTry(document)}>
          Try<span className="visually-hidden"> {name}</span> as it is
        </button>
        <button type="button" className="small" onClick={() => onEdit(document)}>
          Edit a copy<span className="visually-hidden"> of {name}</span>
        </button>
      </span>
    ),
  },
];

function Lab(): ReactElement {
  const policies = useAsk(['policies'], (client, signal) => client.ops.policies({ signal }));
  const [base, setBase] = useState<TrustPolicy | null>(null);
  const [chosen, setChosen] = useState<TrustPolicy | null>(null);
  return (
    <Answer of={policies} what="policies">
      {({ policies: known, schema, schemas, in_force: inForce }) => {
        const active = known.find(({ name }) => name === inForce)?.document ?? null;
        const start = base ?? active;
        return (
          <>
            <Section title="Policies">
              <DataTable
                caption="Known policies"
                hidesCaption
                columns={columns(
                  (policy) => {
                    setBase(policy);
                    setChosen(null);
                  },
                  (policy) => {
                    setBase(policy);
                    setChosen(policy);
                  },
                )}
                rows={known}
                keyOf={({ name }) => name}
              />
            </Section>
            {start !== null && (
              <PolicyForm key={start.name} base={start} schema={schemas[start.formula] ?? schema} onTry={setChosen} />
            )}
            {chosen !== null && (
              <div key={JSON.stringify(chosen)}>
                <p role="status">
                  In the lab: <Foreign text={chosen.name} />
                </p>
                <Trial policy={chosen} />
                <Simulation policy={chosen} />
                <Activation policy={chosen} isInForce={chosen.name === inForce} />
              </div>
            )}
          </>
        );
      }}
    </Answer>
  );
}
