import { type AgentEvent, type DomainError, type OwnerAuthority, production } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { agentDecider } from '../agent/decider.ts';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  answerCommand,
  atSecond,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  givenFor,
  reviewAnswered,
  reviewCommand,
  sandboxOf,
  someSealed,
} from '../testing/index.ts';
import { ensureMayAnswer } from './answer.ts';
import { exchangeDecider } from './decider.ts';

const given = givenFor(exchangeDecider);
const reviewed = [exchangeStarted(), exchangeCompleted(), exchangeReviewed()];

describe('a review', () => {
  it('is answered for the agent that it is about', () => {
    given(reviewed).when(answerCommand()).then([reviewAnswered()]);
  });

  it('is answered once, and not made again afterwards', () => {
    const answered = [...reviewed, reviewAnswered()];
    given(answered)
      .when(answerCommand({ answer: someSealed('another'), now: atSecond(9) }))
      .thenRefused('already_answered');
    given(answered).when(answerCommand()).thenRefused('already_answered');
    given(answered).when(reviewCommand()).thenRefused('already_reviewed');
  });

  it.each([
    ['the caller', 'caller'],
    ['an agent that is no party', 'somebody'],
  ])('is not there for %s, answered or not', (_, agentId) => {
    const command = answerCommand({ agent: { agentId, universe: production } });
    for (const history of [reviewed, [...reviewed, reviewAnswered()]])
      given(history).when(command).thenRefused('review_not_found');
  });

  it('is not there before it is made', () => {
    for (const history of [[], [exchangeStarted()], [exchangeStarted(), exchangeCompleted()]])
      given(history).when(answerCommand()).thenRefused('review_not_found');
  });

  it('is answered in the universe that it was made in', () => {
    const inSandbox = { universe: sandboxOf('org-1') };
    const sandboxed = [exchangeStarted(inSandbox), exchangeCompleted(inSandbox), exchangeReviewed(inSandbox)];
    const fromSandbox = answerCommand({ agent: { agentId: 'receiver', ...inSandbox } });
    given(sandboxed)
      .when(fromSandbox)
      .then([reviewAnswered(inSandbox)]);
    given(sandboxed).when(answerCommand()).thenRefused('review_not_found');
    given(reviewed).when(fromSandbox).thenRefused('review_not_found');
    given(sandboxed)
      .when(answerCommand({ agent: { agentId: 'receiver', universe: sandboxOf('org-2') } }))
      .thenRefused('review_not_found');
  });
});

describe('an answer is given', () => {
  const agentId = 'agent-1';
  const ofOrg = agentRegistered({ orgId: 'org-1', verified: true });
  const inSandbox = agentRegistered({ orgId: 'org-1', universe: sandboxOf('org-1') });
  const itself = { kind: 'agent', agentId } as const;
  const organisation = { kind: 'organisation', orgId: 'org-1', universe: production } as const;
  const admin = { kind: 'admin' } as const;
  const suspended: AgentEvent = { type: 'AgentSuspended', data: { agentId, reason: 'x', suspendedAt: atSecond(1) } };
  const retired: AgentEvent = { type: 'AgentRetired', data: { agentId, retiredAt: atSecond(1) } };
  const may = (events: AgentEvent[], authority: OwnerAuthority): string => {
    try {
      return ensureMayAnswer(agentId, authority, fold(agentDecider, events)).agentId;
    } catch (error) {
      return (error as DomainError).code;
    }
  };

  it('by the agent itself, its organisation and the operator', () => {
    for (const authority of [itself, organisation, admin]) expect(may([ofOrg], authority)).toBe(agentId);
    expect(may([agentRegistered()], itself)).toBe(agentId);
    expect(may([inSandbox], { ...organisation, universe: sandboxOf('org-1') })).toBe(agentId);
  });

  it('by nobody else', () => {
    expect(may([], itself)).toBe('agent_not_found');
    expect(may([ofOrg], { kind: 'agent', agentId: 'agent-2' })).toBe('not_owner');
    expect(may([ofOrg], { ...organisation, orgId: 'org-2' })).toBe('not_owner');
    expect(may([inSandbox], { ...organisation, orgId: 'org-2' })).toBe('agent_not_found');
    expect(may([inSandbox], organisation)).toBe('wrong_universe');
  });

  it('for no blocked agent', () => {
    for (const authority of [itself, organisation, admin]) {
      expect(may([ofOrg, suspended], authority)).toBe('agent_suspended');
      expect(may([ofOrg, retired], authority)).toBe('agent_retired');
    }
  });
});
