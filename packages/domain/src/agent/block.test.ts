import { type AgentEvent, agentBlock } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import {
  agentRegistered,
  atSecond,
  claimIssuedEvent,
  givenFor,
  issueClaimCommand,
  orgKey,
  redeemClaimCommand,
  sandboxOf,
  updateAgentCommand,
} from '../testing/index.ts';
import { blockOf } from './block.ts';
import type { AgentCommand, MoveAgent, RetireAgent } from './commands.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const agentId = 'agent-1';
const registered = agentRegistered({ orgId: 'org-1', verified: true });
const suspended: AgentEvent = { type: 'AgentSuspended', data: { agentId, reason: 'abuse', suspendedAt: atSecond(1) } };
const reinstated: AgentEvent = {
  type: 'AgentReinstated',
  data: { agentId, reason: 'mended', reinstatedAt: atSecond(2) },
};
const retired: AgentEvent = { type: 'AgentRetired', data: { agentId, retiredAt: atSecond(1) } };
const suspend: AgentCommand = { type: 'SuspendAgent', agentId, reason: 'abuse', now: atSecond(1) };
const reinstate: AgentCommand = { type: 'ReinstateAgent', agentId, reason: 'mended', now: atSecond(2) };
const retireBy = (authority: RetireAgent['authority']): RetireAgent => ({
  type: 'RetireAgent',
  agentId,
  authority,
  now: atSecond(1),
});
const itself = { kind: 'agent', agentId } as const;
const { orgId, universe } = orgKey();
const organisation = { kind: 'organisation', orgId, universe } as const;
const move = (type: MoveAgent['type']): MoveAgent => ({ type, agentId, orgId, voidCloneId: null, now: atSecond(3) });

describe('a suspension', () => {
  it('begins and ends, and may begin again', () => {
    given([registered]).when(suspend).then([suspended]);
    given([registered, suspended]).when(reinstate).then([reinstated]);
    given([registered, suspended, reinstated]).when(suspend).then([suspended]);
  });

  it('is not begun or ended twice', () => {
    given([registered, suspended])
      .when({ ...suspend, reason: 'another' })
      .thenNothing();
    given([registered]).when(reinstate).thenNothing();
    given([registered, suspended, reinstated]).when(reinstate).thenNothing();
  });

  it('is only for an agent that there is', () => {
    given([]).when(suspend).thenRefused('agent_not_found');
    given([]).when(reinstate).thenRefused('agent_not_found');
  });
});

describe('retiring', () => {
  it.each([itself, organisation, { kind: 'admin' } as const])('is for %j, once', (authority) => {
    given([registered]).when(retireBy(authority)).then([retired]);
    given([registered, retired]).when(retireBy(authority)).thenNothing();
  });

  it('is for nobody else', () => {
    given([registered])
      .when(retireBy({ kind: 'agent', agentId: 'other' }))
      .thenRefused('not_owner');
    given([registered])
      .when(retireBy({ ...organisation, orgId: 'other' }))
      .thenRefused('not_owner');
    given([registered])
      .when(retireBy({ ...organisation, universe: sandboxOf() }))
      .thenRefused('wrong_universe');
    given([]).when(retireBy(itself)).thenRefused('agent_not_found');
  });

  it('hides a sandbox agent from everybody else', () => {
    const draft = agentRegistered({ orgId: 'org-1', universe: sandboxOf() });
    given([draft])
      .when(retireBy({ kind: 'agent', agentId: 'other' }))
      .thenRefused('agent_not_found');
    given([draft])
      .when(retireBy({ ...organisation, orgId: 'other' }))
      .thenRefused('agent_not_found');
    given([draft])
      .when(retireBy({ ...organisation, universe: sandboxOf() }))
      .then([retired]);
  });

  it('is not a way around a suspension, except for the operator', () => {
    given([registered, suspended]).when(retireBy(organisation)).thenRefused('agent_suspended');
    given([registered, suspended])
      .when(retireBy({ kind: 'admin' }))
      .then([retired]);
    given([registered, retired]).when(suspend).then([suspended]);
  });
});

describe.each([
  ['suspended', suspended],
  ['retired', retired],
] as const)('a %s agent', (block, blocking) => {
  const history = [registered, claimIssuedEvent(), blocking];
  const code = `agent_${block}` as const;

  it('cannot be acted as', () => {
    given(history)
      .when(updateAgentCommand({ credentials: { agentId, organisation: null, admin: false } }))
      .thenRefused(code);
    given(history)
      .when(updateAgentCommand({ credentials: { agentId: null, organisation: orgKey(), admin: false } }))
      .thenRefused(code);
    given(history)
      .when(issueClaimCommand({ authority: organisation }))
      .thenRefused(code);
    given(history)
      .when(issueClaimCommand({ authority: itself }))
      .thenRefused(code);
    given(history).when(redeemClaimCommand()).thenRefused(code);
    given(history)
      .when({ type: 'RotateBySignature', agentId, publicKey: null, newKeyHash: 'f', now: atSecond(3) })
      .thenRefused(code);
    given(history)
      .when({ type: 'PairClone', agentId, cloneAgentId: 'clone', orgId, voidCloneId: null, now: atSecond(3) })
      .thenRefused(code);
  });

  it('can be withdrawn, and not published', () => {
    given(history)
      .when(move('WithdrawAgent'))
      .then([{ type: 'AgentWithdrawn', data: { agentId, orgId, withdrawnAt: atSecond(3) } }]);
    given([...history, { type: 'AgentWithdrawn', data: { agentId, orgId, withdrawnAt: atSecond(3) } }])
      .when(move('PublishAgent'))
      .thenRefused(code);
  });

  it('is told as such', () => {
    expect(
      blockOf({ isSuspended: block === 'suspended', isRetired: block === 'retired', isOrganisationDisabled: false }),
    ).toBe(block);
  });
});

it('of an agent with several blocks, that it is suspended is said', () => {
  expect(agentBlock.options).toEqual(['suspended', 'retired']);
  expect(blockOf({ isSuspended: true, isRetired: true, isOrganisationDisabled: false })).toBe('suspended');
  expect(blockOf({ isSuspended: false, isRetired: true, isOrganisationDisabled: true })).toBe('suspended');
  expect(blockOf({ isSuspended: false, isRetired: false, isOrganisationDisabled: false })).toBe(null);
});
