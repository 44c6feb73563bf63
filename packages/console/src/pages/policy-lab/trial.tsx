import type { PolicyTrial, TrustPolicy } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts, Section } from '../../ui/section.tsx';
import { Answer, ErrorNote } from '../../ui/states.tsx';
import { isUnderWay, jobLookEveryMs, JobNote } from './job-note.tsx';
import { MovedAgents } from './moved-agents.tsx';

/** What-if: who would move, and across which threshold. Nothing is changed. */
export function Trial({ policy }: { policy: TrustPolicy }): ReactElement {
  const start = useChange((client, tried: TrustPolicy) => client.ops.startPolicyTrial({ policy: tried }));
  return (
    <Section
      title="Who would move"
      aside={
        <button type="button" disabled={start.isPending} onClick={() => start.mutate(policy)}>
          {start.data === undefined ? 'Compute' : 'Compute again'}
        </button>
      }
    >
      {start.error !== null && <ErrorNote error={start.error} />}
      {start.data !== undefined && <Followed key={start.data.trial_id} trialId={start.data.trial_id} />}
    </Section>
  );
}

function Followed({ trialId }: { trialId: string }): ReactElement {
  const trial = useAsk(['policy trial', trialId], (client, signal) => client.ops.policyTrial(trialId, { signal }), {
    everyMs: (job) => (job === undefined || isUnderWay(job) ? jobLookEveryMs : undefined),
  });
  const stop = useChange((client, id: string) => client.ops.cancelPolicyTrial(id), [['policy trial', trialId]]);
  return (
    <Answer of={trial} what="the trial">
      {(answer) => (
        <>
          <JobNote job={answer} onStop={() => stop.mutate(trialId)} />
          {stop.error !== null && <ErrorNote error={stop.error} />}
          {answer.result !== null && <Result result={answer.result} />}
          {answer.result !== null && <MovedAgents trialId={trialId} total={answer.result.agents_kept} />}
        </>
      )}
    </Answer>
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
