import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { agentPage } from '../agent-address.ts';
import { Name } from './text.tsx';

/** The id of an agent, which leads to its page. */
export function AgentLink({ agentId }: { agentId: string }): ReactElement {
  return (
    <Link to={agentPage} params={{ agentId }}>
      <Name text={agentId} />
    </Link>
  );
}
