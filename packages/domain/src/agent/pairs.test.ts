import type { ClonePaired } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  adminKey,
  agentRegistered,
  atSecond,
  claimIssuedEvent,
  givenFor,
  orgKey,
  registerAgentCommand,
  sandboxOf,
  someConfiguration,
} from '../testing/index.ts';
import type { PairClone } from './commands.ts';
import { agentDecider } from './decider.ts';
import type { RegisteredAgent } from './state.ts';
import { ensureSandboxKey, isVoidPairing } from './pairs.ts';

const given = givenFor(agentDecider);
const ofOrganisation = { orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75 };
const live = agentRegistered({ agentId: 'live', ...ofOrganisation });
const paired = (agentId: string, relatedAgentId: string, second = 0): ClonePaired => ({
  type: 'ClonePaired',
  data: { agentId, relatedAgentId, pairedAt: atSecond(second) },
});
const pair = (over: Partial<PairClone> = {}): PairClone => ({
  type: 'PairClone',
  agentId: 'live',
  cloneAgentId: 'draft',
  orgId: 'org-1',
  voidCloneId: null,
  now: atSecond(5),
  ...over,
});

describe('cloning needs a sandbox key', () => {
  it('whose organisation owns the clone', () => {
    expect(ensureSandboxKey(orgKey({ universe: sandboxOf('org-1') }))).toBe('org-1');
  });

  it.each([
    ['an anonymous caller', { kind: 'none' } as const],
    ['a production key', orgKey()],
    ['the admin', adminKey(true)],
  ])('so %s cannot clone', (_, credential) => {
    expect(() => ensureSandboxKey(credential)).toThrow(expect.objectContaining({ code: 'sandbox_key_required' }));
  });
});

describe('the place of a clone, in the stream of the live agent', () => {
  it('goes to the first clone, and is idempotent for it', () => {
    given([live])
      .when(pair())
      .then([paired('live', 'draft', 5)]);
    given([live, paired('live', 'draft')])
      .when(pair())
      .thenNothing();
  });

  it.each([
    ['unknown', []],
    ['one without an organisation', [agentRegistered({ agentId: 'live' })]],
    ['another organisation’s', [agentRegistered({ agentId: 'live', ...ofOrganisation, orgId: 'org-2' })]],
    ['in the sandbox', [agentRegistered({ agentId: 'live', ...ofOrganisation, universe: sandboxOf('org-1') })]],
    [
      'withdrawn to the sandbox',
      [live, { type: 'AgentWithdrawn', data: { agentId: 'live', orgId: 'org-1', withdrawnAt: atSecond(1) } } as const],
    ],
  ])('does not exist if the agent is %s', (_, history) => {
    given(history).when(pair()).thenRefused('agent_not_found');
  });

  it('is unique: a second clone is refused with the name of the first', () => {
    const refusal = given([live, paired('live', 'first')])
      .when(pair())
      .thenRefused('already_paired');
    expect(refusal.message).toContain('"first"');
  });

  it('is reassigned from an id that can never become the clone, and from no other', () => {
    given([live, paired('live', 'spoilt')])
      .when(pair({ voidCloneId: 'spoilt' }))
      .then([paired('live', 'draft', 5)]);
    given([live, paired('live', 'spoilt'), paired('live', 'faster')])
      .when(pair({ voidCloneId: 'spoilt' }))
      .thenRefused('already_paired');
  });
});

describe('a place is void', () => {
  const keeper = fold(agentDecider, [live, paired('live', 'draft')]) as RegisteredAgent;
  const draft = agentRegistered({ agentId: 'draft', ...ofOrganisation, universe: sandboxOf('org-1') });

  it.each([
    ['while nobody is registered under the id: the clone may still come', [], false],
    ['when the clone is registered', [draft, paired('draft', 'live')], false],
    ['when the id was registered as an agent of its own', [draft], true],
    ['when the id was registered as the clone of another', [draft, paired('draft', 'other')], true],
  ])('%s', (_, history, isVoid) => {
    expect(isVoidPairing(keeper, fold(agentDecider, history))).toBe(isVoid);
  });
});

describe('the registration of a clone', () => {
  const credential = orgKey({ universe: sandboxOf('org-1') });

  it('records in its own stream its live agent, in one append', () => {
    const configuration = someConfiguration({ specialty: 'copied' });
    given([])
      .when(registerAgentCommand({ agentId: 'draft', credential, configuration, pairedWith: 'live' }))
      .then([
        agentRegistered({ agentId: 'draft', ...ofOrganisation, universe: sandboxOf('org-1'), configuration }),
        paired('draft', 'live'),
        claimIssuedEvent({ agentId: 'draft' }),
      ]);
  });

  it('must satisfy the rules with the resulting configuration', () => {
    const configuration = someConfiguration({ priceSchedule: [{ task: 'quote', price: 1 }] });
    given([])
      .when(registerAgentCommand({ agentId: 'draft', credential, configuration, pairedWith: 'live' }))
      .thenRefused('price_schedule_incomplete');
  });
});
