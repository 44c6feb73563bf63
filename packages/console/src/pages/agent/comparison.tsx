import type { AgentProfile } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { differences } from './differences.ts';

/** What differs between the moment that the page shows and now. */
export function Comparison({ then, agentId }: { then: AgentProfile; agentId: string }): ReactElement {
  const now = useAsk(['agent', agentId, 'profile', undefined], (client, signal) =>
    client.getAgent(agentId, { signal }),
  );
  return (
    <Section title="Then and now">
      <Answer of={now} what="the agent as it is now">
        {(profile) => (
          <DataTable
            caption="What has changed since that moment"
            columns={[
              { head: 'What', cell: ({ what }) => what },
              { head: 'Then', cell: (row) => <Foreign text={row.before} /> },
              { head: 'Now', cell: (row) => <Foreign text={row.now} /> },
            ]}
            rows={differences(then, profile)}
            keyOf={({ what }) => what}
          />
        )}
      </Answer>
    </Section>
  );
}
