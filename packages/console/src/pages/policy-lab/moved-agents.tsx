import type { PolicyTrialAgent } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pages } from '../../ui/pages.tsx';
import { ScoreBadge } from '../../ui/score-badge.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Name } from '../../ui/text.tsx';
import { MovedAgent } from './moved-agent.tsx';

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
          <Name text={agentId} />
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
            <Pages
              offset={offset}
              count={rows.length}
              total={total}
              limit={limit}
              isFormer={agents.isPlaceholderData}
              onOffset={setOffset}
            />
          </>
        )}
      </Answer>
      {open !== null && (
        <Dialog title={open} isOpen onClose={() => setOpen(null)} place="side">
          <MovedAgent trialId={trialId} agentId={open} />
        </Dialog>
      )}
    </>
  );
}
