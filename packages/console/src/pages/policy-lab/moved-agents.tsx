import type { PolicyTrialAgent } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Chart } from '../../ui/chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Pages } from '../../ui/pages.tsx';
import { ScoreBadge } from '../../ui/score-badge.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

const limit = 50;

/** Agents whose score a policy would change: those first that cross a threshold, then those that move most. */
export function MovedAgents({ trialId, total }: { trialId: string; total: number }): ReactElement {
  const [offset, setOffset] = useState(0);
  const [open, setOpen] = useState<string | null>(null);
  const agents = useAsk(
    ['policy trial', trialId, 'agents', offset],
    (client, signal) => client.ops.policyTrialAgents(trialId, { limit, offset }, { signal }),
    { keepsFormer: true, enabled: total > 0 },
  );
  if (total === 0) return <Empty>No score would change.</Empty>;
  const columns: readonly Column<PolicyTrialAgent>[] = [
    {
      head: 'Agent',
      cell: ({ agent_id: agentId }) => (
        <button type="button" className="small" onClick={() => setOpen(agentId)}>
          <Foreign text={agentId} />
        </button>
      ),
    },
    { head: 'Now', cell: ({ trust_score: score }) => <ScoreBadge score={score} /> },
    { head: 'Then', cell: ({ trial_score: score }) => <ScoreBadge score={score} /> },
    { head: 'Change', cell: ({ change }) => (change > 0 ? `+${change}` : change), isNumber: true },
    {
      head: 'Crosses',
      cell: ({ crosses }) => crosses.map(({ threshold, direction }) => `${direction} across ${threshold}`).join(', '),
    },
  ];
  return (
    <>
      <Answer of={agents} what="agents">
        {({ agents: rows }) => (
          <>
            <DataTable
              caption="Agents that would move"
              columns={columns}
              rows={rows}
              keyOf={({ agent_id: agentId }) => agentId}
            />
            <Pages offset={offset} count={rows.length} total={total} limit={limit} onOffset={setOffset} />
          </>
        )}
      </Answer>
      {open !== null && (
        <Dialog title={open} isOpen onClose={() => setOpen(null)} place="side">
          <BothCourses trialId={trialId} agentId={open} />
        </Dialog>
      )}
    </>
  );
}

/** The history of one agent's score under both policies. */
function BothCourses({ trialId, agentId }: { trialId: string; agentId: string }): ReactElement {
  const detail = useAsk(['policy trial', trialId, 'agent', agentId], (client, signal) =>
    client.ops.policyTrialAgent(trialId, agentId, { signal }),
  );
  return (
    <Answer of={detail} what="its history">
      {({ history, is_thinned: isThinned }) => (
        <Chart
          label="Its score under the policy in force and under the one on trial"
          times={history.map(({ at }) => Date.parse(at))}
          range={[0, 100]}
          series={[
            { name: 'in force', values: history.map(({ trust_score: score }) => score), shape: 'steps' },
            { name: 'on trial', values: history.map(({ trial_score: score }) => score), shape: 'steps' },
          ]}
        >
          <DataTable
            caption={isThinned ? 'Some of its changes' : 'Its changes'}
            columns={[
              { head: 'At', cell: ({ at }) => <Moment at={at} /> },
              { head: 'In force', cell: ({ trust_score: score }) => score, isNumber: true },
              { head: 'On trial', cell: ({ trial_score: score }) => score, isNumber: true },
            ]}
            rows={history}
            keyOf={({ position }) => position}
          />
        </Chart>
      )}
    </Answer>
  );
}
