import { z } from 'zod';

/**
 * Why nobody may deal with an agent, whatever it has earned: the operator has suspended it or disabled its organisation, or its owner has
 * retired it. Of an agent that is both, that it is suspended.
 */
export const agentBlock = z.enum(['suspended', 'retired']);
export type AgentBlock = z.infer<typeof agentBlock>;
