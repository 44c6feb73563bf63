import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Foreign } from './text.tsx';

/** The id of an agent, which leads to its page. */
export function AgentLink({ agentId }: { agentId: string }): ReactElement {
  return (
    <Link to="/agents/$agentId" params={{ agentId }}>
      <Foreign text={agentId} />
    </Link>
  );
}
