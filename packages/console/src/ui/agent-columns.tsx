import { AgentLink } from './agent-link.tsx';
import type { Column } from './data-table.tsx';
import { ScoreBadge } from './score-badge.tsx';
import type { Action } from './score-words.ts';

/** The id of the agent that a row is about, which leads to its page. */
export const agentColumn: Column<{ agent_id: string }> = {
  head: 'Agent',
  cell: ({ agent_id: agentId }) => <AgentLink agentId={agentId} />,
};

/** How far to trust it. */
export const trustColumn: Column<{ trust_score: number; recommended_action?: Action }> = {
  head: 'Trust',
  cell: ({ trust_score: score, recommended_action: action }) => <ScoreBadge score={score} action={action} />,
};
