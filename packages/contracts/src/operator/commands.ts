import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { positionText } from '../text.ts';

/** What the operator does to agents. Each may be repeated: it then changes nothing, and answers what holds. Refusal: agent_not_found. */

/** `reason` and `suspendedAt` of the answer are those of the suspension that holds, which an earlier command may have begun. */
export const suspendAgent = unary('registry-write', 'suspend_agent', {
  input: z.object({ agentId: z.string(), reason: z.string(), actor }),
  output: z.object({ reason: z.string(), suspendedAt: z.string(), position: positionText }),
});

export const reinstateAgent = unary('registry-write', 'reinstate_agent', {
  input: z.object({ agentId: z.string(), reason: z.string(), actor }),
  output: z.object({ position: positionText }),
});
