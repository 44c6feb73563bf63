import type { PolicyTrial, TrustPolicy } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/section.tsx';
import { type JobKind, LabJob } from './lab-job.tsx';
import { MovedAgents } from './moved-agents.tsx';

const trials: JobKind<PolicyTrial> = {
  name: 'policy trial',
  start: async (client, policy) => (await client.ops.startPolicyTrial({ policy })).trial_id,
  ask: (client, id, signal) => client.ops.policyTrial(id, { signal }),
  stop: (client, id) => client.ops.cancelPolicyTrial(id),
};

/** What-if: who would move, and across which threshold. */
export function Trial({ policy }: { policy: TrustPolicy }): ReactElement {
  return (
    <LabJob title="Who would move" words={{ begin: 'Compute', again: 'Compute again' }} kind={trials} policy={policy}>
      {({ result }, id) =>
        result !== null && (
          <>
            <Result result={result} />
            <MovedAgents trialId={id} total={result.agents_kept} />
          </>
        )
      }
    </LabJob>
  );
}

function Result({ result }: { result: NonNullable<PolicyTrial['result']> }): ReactElement {
  const { in_force: inForce, agents, moved, up, down, thresholds } = result;
  return (
    <>
      <Facts
        facts={[
          ['Compared with', inForce],
          ['Agents', agents.toLocaleString('en')],
          ['Would move', moved.toLocaleString('en')],
          ['Up', up.toLocaleString('en')],
          ['Down', down.toLocaleString('en')],
        ]}
      />
      <DataTable
        caption="Across thresholds"
        columns={[
          { head: 'Threshold', cell: ({ threshold }) => threshold },
          { head: 'Rise above', cell: ({ rise }) => rise, isNumber: true },
          { head: 'Fall below', cell: ({ fall }) => fall, isNumber: true },
        ]}
        rows={thresholds}
        keyOf={({ threshold }) => String(threshold)}
      />
    </>
  );
}
