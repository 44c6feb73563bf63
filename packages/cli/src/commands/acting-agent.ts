import type { Context } from '../program/context.ts';
import { UsageError } from '../usage-error.ts';

/** The acting agent: --agent-id, AGENT_TRUST_AGENT_ID, else the saved one. @throws UsageError if there is none. */
export function actingAgent(context: Context): string {
  const { agentId } = context.settings();
  if (agentId === undefined)
    throw new UsageError(
      'which agent acts? Name it with --agent-id or AGENT_TRUST_AGENT_ID, or save one with "agent-trust register <id> --save"',
    );
  return agentId;
}
