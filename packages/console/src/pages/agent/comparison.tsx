import type { AgentProfile, ExplainedTrustPage } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { AgentLink } from '../../ui/agent-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import {
  counterpartyDifferences,
  type Difference,
  partDifferences,
  profileDifferences,
  reviewDifferences,
} from './differences.ts';
import { useProfile, useTrust } from './use-agent.ts';

/** As many reviews as are compared: the others are on the page. */
const reviewsShown = 50;

export type ComparisonProps = { profile: AgentProfile; trust: ExplainedTrustPage; agentId: string };

/** What differs between the moment that the page shows and now, part by part. */
export function Comparison({ profile, trust, agentId }: ComparisonProps): ReactElement {
  const profileNow = useProfile(agentId, undefined);
  const trustNow = useTrust(agentId, undefined);
  return (
    <Section title="Then and now">
      <Answer of={profileNow} what="the agent as it is now">
        {(now) => (
          <>
            <Rows caption="What has changed since that moment" head="What" rows={profileDifferences(profile, now)} />
            <Rows
              caption="Counterparties since then"
              head="Agent"
              rows={counterpartyDifferences(profile.ratings_received, now.ratings_received)}
              isAgents
            />
          </>
        )}
      </Answer>
      <Answer of={trustNow} what="the score as it is now">
        {(now) => (
          <>
            <Rows caption="Parts of the score, in points" head="Part" rows={partDifferences(trust.trust, now.trust)} />
            <Reviews rows={reviewDifferences(trust.trust.reviews, now.trust.reviews)} />
          </>
        )}
      </Answer>
    </Section>
  );
}

type RowsProps = { caption: string; head: string; rows: readonly Difference[]; isAgents?: boolean };

function Rows({ caption, head, rows, isAgents = false }: RowsProps): ReactElement {
  if (rows.length === 0) return <Empty>{caption}: nothing.</Empty>;
  return (
    <DataTable
      caption={caption}
      columns={[
        { head, cell: ({ what }) => (isAgents ? <AgentLink agentId={what} /> : <Foreign text={what} />) },
        { head: 'Then', cell: (row) => <Foreign text={row.before} /> },
        { head: 'Now', cell: (row) => <Foreign text={row.now} /> },
      ]}
      rows={rows}
      keyOf={({ key }) => key}
    />
  );
}

function Reviews({ rows }: { rows: ReturnType<typeof reviewDifferences> }): ReactElement {
  if (rows.length === 0) return <Empty>Reviews that are new or count otherwise: none.</Empty>;
  const shown = rows.slice(0, reviewsShown);
  return (
    <DataTable
      caption={`Whether reviews count: ${shown.length < rows.length ? `the newest ${shown.length} of ` : ''}${rows.length} that are new or count otherwise`}
      columns={[
        { head: 'Reviewer', cell: ({ reviewer }) => <AgentLink agentId={reviewer} /> },
        { head: 'When', cell: ({ what }) => what },
        { head: 'Then', cell: ({ before }) => before },
        { head: 'Now', cell: ({ now }) => now },
      ]}
      rows={shown}
      keyOf={({ key }) => key}
    />
  );
}
