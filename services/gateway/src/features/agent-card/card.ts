import { type AgentCard, buildAgentCard, routes } from '@agent-trust/contracts';
import { aboutRegistry } from '../../about-registry.ts';

let made: { baseUrl: string; card: AgentCard } | undefined;

/** The agent card of the registry at this address, of which a process has one. */
export function ownCard(baseUrl: string): AgentCard {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, card: buildAgentCard(routes, { ...aboutRegistry, baseUrl }) };
  return made.card;
}
