import type { OwnerTrustObject } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { agentColumn, trustColumn } from '../../ui/agent-columns.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';

const limit = 50;

/** The organisation's agents in the universe that the reader looks at, and their moves to the other one. */
export function Agents(): ReactElement {
  const { sandbox, universe } = useSession();
  const [offset, setOffset] = useState(0);
  const [move, setMove] = useState<Move | null>(null);
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
      cell: ({ related_agent_id: other }) => (other === null ? 'nothing' : <Foreign text={other} />),
    },
    {
      head: 'Move',
      cell: (agent) => {
        const kind = moveOf(agent);
        return kind === null || sandbox === null ? (
          ''
        ) : (
          <button type="button" className="small" onClick={() => setMove({ kind, agent })}>
            {moveWords[kind]}
            <span className="visually-hidden"> {agent.agent_id}</span>
          </button>
        );
      },
    },
  ];
  return (
    <Section title={`Agents in ${universe === 'sandbox' ? 'the sandbox' : 'production'}`}>
      {sandbox === null && (
        <p>Sign in with the sandbox key, too, to withdraw agents into the sandbox, and to publish or promote drafts.</p>
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
              <Pages offset={offset} count={rows.length} total={total} limit={limit} onOffset={setOffset} />
            </>
          )
        }
      </Answer>
      {move !== null && <MoveDialog move={move} onClose={() => setMove(null)} />}
    </Section>
  );
}

const moveWords = { publish: 'Publish', withdraw: 'Withdraw', promote: 'Promote' } as const;

/** What can be done with an agent: a draft that is paired is promoted, and its live agent stays where it is. */
const moveOf = ({ is_sandbox: isSandbox, related_agent_id: other }: OwnerTrustObject): Move['kind'] | null => {
  if (other !== null) return isSandbox ? 'promote' : null;
  return isSandbox ? 'publish' : 'withdraw';
};
