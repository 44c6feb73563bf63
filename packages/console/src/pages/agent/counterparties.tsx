import type { RatingRecord } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { AgentLink } from '../../ui/agent-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { counterpartiesOf } from './counterparties-of.ts';

/** Who has reviewed the agent, and how they rate it. */
export function Counterparties({ ratings }: { ratings: readonly RatingRecord[] }): ReactElement {
  const rows = counterpartiesOf(ratings);
  return (
    <Section title="Counterparties">
      {rows.length === 0 ? (
        <Empty>Nobody has reviewed this agent yet.</Empty>
      ) : (
        <DataTable
          caption={`Reviewers of the newest ${ratings.length} reviews, most reviews first`}
          columns={[
            {
              head: 'Agent',
              cell: ({ agentId }) => <AgentLink agentId={agentId} />,
            },
            { head: 'Domain', cell: ({ domain }) => (domain === null ? '–' : <Foreign text={domain} />) },
            { head: 'Reviews', cell: ({ reviews }) => reviews, isNumber: true },
            { head: 'Mean score', cell: ({ meanScore }) => meanScore.toFixed(1), isNumber: true },
            { head: 'Last', cell: ({ lastAt }) => <Ago at={lastAt} /> },
          ]}
          rows={rows}
          keyOf={({ agentId }) => agentId}
        />
      )}
    </Section>
  );
}
