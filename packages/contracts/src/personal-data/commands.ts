import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';

/**
 * Destroys the key of an agent's contact and answers to reviews, and records that. Repeated, it has nothing to destroy and answers as before.
 * Refusal: agent_not_found.
 */
export const erasePersonalData = unary('registry-write', 'erase_personal_data', {
  input: z.object({ agentId: z.string(), actor }),
  output: z.object({
    position: positionText,
    /** When it was last erased, RFC 3339; null for an agent that never had any. */
    erasedAt: nullableText,
  }),
});
