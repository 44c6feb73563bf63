import { limits } from '../limits.ts';
import type { Headers } from './route.ts';

/** The header of routes whose requests may be repeated safely. */
export const idempotencyHeader: Headers = {
  'Idempotency-Key': {
    description:
      `1 to ${limits.idempotencyKeyCharsMax} characters, best a random UUID. For 24 hours the same request under the same key is answered as ` +
      'the first time and not carried out again. A key belongs to the route and the credential, without one to the agent_id. A refusal, and a ' +
      'question (202), free it.',
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharsMax },
    example: '6f1e2f0c-8a39-4a0e-9d8f-0f9f4f4a2b11',
  },
};
