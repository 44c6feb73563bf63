import type { OwnerTrustObject } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { agentColumn, trustColumn } from '../../ui/agent-columns.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign, Name } from '../../ui/text.tsx';
import { CloneDialog } from './clone-dialog.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';

const limit = 50;

type Step = Move | { kind: 'clone'; agent: OwnerTrustObject };

/** The organisation's agents in the universe that the reader looks at, their moves to the other one, and clones. */
export function Agents(): ReactElement {
  const { sandbox, universe } = useSession();
  const [offset, setOffset] = useState(0);
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const agents = useAsk(
    ['org', 'agents', universe, offset],
    (client, signal) => client.org.agents({ limit, offset }, { signal }),
    { keepsFormer: true },
  );
  const columns: readonly Column<OwnerTrustObject>[] = [
    agentColumn,
    trustColumn,
    { head: 'Endpoint', cell: ({ routing }) => <Foreign text={routing.endpoint_url ?? 'none'} /> },
    {
      head: 'Paired with',
      cell: ({ related_agent_id: other }) => (other === null ? 'nothing' : <Name text={other} />),
    },
    {
      head: 'Move or clone',
      cell: (agent) =>
        sandbox !== null && (
          <span className="row">
            {stepsOf(agent).map((kind) => (
              <button key={kind} type="button" className="small" onClick={() => setStep({ kind, agent })}>
                {stepWords[kind]}
                <span className="visually-hidden"> {agent.agent_id}</span>
              </button>
            ))}
          </span>
        ),
    },
  ];
  return (
    <Section title={`Agents in ${universe === 'sandbox' ? 'the sandbox' : 'production'}`}>
      {sandbox === null && (
        <p>
          Sign in with the sandbox key, too, to withdraw agents into the sandbox or clone them there, and to publish or
          promote drafts.
        </p>
      )}
      <Answer of={agents} what="agents">
        {({ agents: rows, total }) =>
          rows.length === 0 ? (
            <Empty>The organisation has no agents here.</Empty>
          ) : (
            <>
              <DataTable
                caption="The organisation's agents"
                hidesCaption
                columns={columns}
                rows={rows}
                keyOf={({ agent_id: agentId }) => agentId}
              />
              <Pages
                label="Pages of the agents"
                offset={offset}
                count={rows.length}
                total={total}
                limit={limit}
                isFormer={agents.isPlaceholderData}
                onOffset={setOffset}
              />
            </>
          )
        }
      </Answer>
      {step !== null &&
        (step.kind === 'clone' ? (
          <CloneDialog agent={step.agent} onClose={close} />
        ) : (
          <MoveDialog move={step} onClose={close} />
        ))}
    </Section>
  );
}

const stepWords = { publish: 'Publish', withdraw: 'Withdraw', promote: 'Promote', clone: 'Clone' } as const;

/** What can be done with an agent. A pair stays where it is: its draft is promoted, and there is no second clone. */
const stepsOf = ({ is_sandbox: isSandbox, related_agent_id: other }: OwnerTrustObject): readonly Step['kind'][] => {
  if (other !== null) return isSandbox ? ['promote'] : [];
  return isSandbox ? ['publish'] : ['withdraw', 'clone'];
};
