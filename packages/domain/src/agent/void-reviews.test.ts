import type { AgentEvent } from '@agent-trust/contracts';
import { describe, it } from 'vitest';
import { agentRegistered, atSecond, givenFor } from '../testing/index.ts';
import type { VoidReviews } from './commands.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const agentId = 'agent-1';
const voiding = (transactionIds: string[]): VoidReviews => ({
  type: 'VoidReviews',
  agentId,
  transactionIds,
  reason: 'a stolen key',
  now: atSecond(1),
});
const voided = (transactionIds: string[]): AgentEvent => ({
  type: 'ReviewsVoided',
  data: { agentId, transactionIds, reason: 'a stolen key', voidedAt: atSecond(1) },
});

describe('voiding reviews', () => {
  it('is one event, also for reviews that are void already: the first one counts', () => {
    const registered = agentRegistered();
    given([registered])
      .when(voiding(['t1', 't2']))
      .then([voided(['t1', 't2'])]);
    given([registered, voided(['t1'])])
      .when(voiding(['t1']))
      .then([voided(['t1'])]);
    given([registered]).when(voiding([])).thenNothing();
  });

  it('is only for an agent that there is', () => {
    given([])
      .when(voiding(['t1']))
      .thenRefused('agent_not_found');
  });
});
