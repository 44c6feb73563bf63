import type { TrustObject } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { agentColumn, trustColumn } from '../../ui/agent-columns.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Answer, Empty, Loading } from '../../ui/states.tsx';
import { Foreign, Name } from '../../ui/text.tsx';

const limit = 50;

const columns: readonly Column<TrustObject>[] = [
  agentColumn,
  trustColumn,
  { head: 'Organisation', cell: ({ org_name: name }) => (name === null ? 'none' : <Name text={name} />) },
  {
    head: 'Capabilities',
    cell: ({ capabilities }) => <Foreign text={capabilities.map(({ name }) => name).join(', ')} />,
  },
  { head: 'Exchanges', cell: ({ transaction_count: count }) => count.toLocaleString('en'), isNumber: true },
];

export type ListingProps = {
  /** How their ids begin; undefined for all agents. */
  name: string | undefined;
  offset: number;
  onOffset: (offset: number) => void;
};

/** The agents that have an endpoint, all or those with a name, most trusted first, a page at a time. */
export function Listing({ name, offset, onOffset }: ListingProps): ReactElement {
  const agents = useAsk(
    ['registry', name, offset],
    (client, signal) =>
      client.listRegistry({ limit, offset, ...(name === undefined ? {} : { agent_id_prefix: name }) }, { signal }),
    { keepsFormer: true },
  );
  return (
    <Answer of={agents} what="agents">
      {({ agents: rows, total }) =>
        rows.length === 0 && agents.isPlaceholderData ? (
          <Loading what="agents" />
        ) : rows.length === 0 && offset === 0 ? (
          <Empty>
            {name === undefined
              ? 'No agent with an endpoint is registered yet.'
              : 'No agent with an endpoint has an id that begins so.'}
          </Empty>
        ) : (
          <>
            <DataTable
              caption={
                name === undefined
                  ? 'Agents with an endpoint, most trusted first'
                  : 'Agents whose id begins so, most trusted first'
              }
              columns={columns}
              rows={rows}
              keyOf={({ agent_id: agentId }) => agentId}
            />
            <Pages
              offset={offset}
              count={rows.length}
              total={total}
              limit={limit}
              isFormer={agents.isPlaceholderData}
              onOffset={onOffset}
            />
          </>
        )
      }
    </Answer>
  );
}
