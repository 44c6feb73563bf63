import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { AgentLink } from '../../ui/agent-link.tsx';
import { ScoreBadge } from '../../ui/score-badge.tsx';

/** The agent with exactly this id, if there is one, with or without an endpoint: others whose ids begin so may be listed before it. */
export function NamedExactly({ name }: { name: string }): ReactElement | null {
  const { data } = useAsk(['named', name], (client, signal) => client.verifyBatch({ agent_ids: [name] }, { signal }));
  const [verdict] = data ?? [];
  if (verdict === undefined || verdict.flags.some((flag) => flag === 'unregistered')) return null;
  return (
    <p>
      Exactly this name: <AgentLink agentId={verdict.agent_id} />{' '}
      <ScoreBadge score={verdict.trust_score} action={verdict.recommended_action} />
    </p>
  );
}
