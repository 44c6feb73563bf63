import type { AgentEvent, AgentPublished, AgentWithdrawn, ClonePaired } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { agentRegistered, atSecond, givenFor, sandboxOf, someConfiguration, someSealed } from '../testing/index.ts';
import type { MoveAgent, PromoteAgent } from './commands.ts';
import { agentDecider } from './decider.ts';
import { type AgentState, ensureRegisteredAgent, type RegisteredAgent } from './state.ts';
import { ensureDraft, liveAgentIdOf, promotedFields } from './promote.ts';

const given = givenFor(agentDecider);
const ofOrganisation = { orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75 };
const live = agentRegistered({ agentId: 'live', ...ofOrganisation });
const draft = agentRegistered({ agentId: 'draft', ...ofOrganisation, universe: sandboxOf('org-1') });
const paired = (agentId: string, relatedAgentId: string): ClonePaired => ({
  type: 'ClonePaired',
  data: { agentId, relatedAgentId, pairedAt: atSecond(0) },
});
const move = (type: MoveAgent['type'], agentId: string, over: Partial<MoveAgent> = {}): MoveAgent => ({
  type,
  agentId,
  orgId: 'org-1',
  voidCloneId: null,
  now: atSecond(9),
  ...over,
});
const published = (agentId: string): AgentPublished => ({
  type: 'AgentPublished',
  data: { agentId, orgId: 'org-1', publishedAt: atSecond(9) },
});
const withdrawn = (agentId: string): AgentWithdrawn => ({
  type: 'AgentWithdrawn',
  data: { agentId, orgId: 'org-1', withdrawnAt: atSecond(9) },
});
const stateOf = (...events: AgentEvent[]): AgentState => fold(agentDecider, events);

describe('publish and withdraw', () => {
  it('move an agent of the organisation to the other side, and back', () => {
    given([draft])
      .when(move('PublishAgent', 'draft'))
      .then([published('draft')]);
    given([live])
      .when(move('WithdrawAgent', 'live'))
      .then([withdrawn('live')]);
    given([draft, published('draft')])
      .when(move('WithdrawAgent', 'draft'))
      .then([withdrawn('draft')]);
    given([live, withdrawn('live')])
      .when(move('PublishAgent', 'live'))
      .then([published('live')]);
  });

  it.each([
    ['PublishAgent', [live]],
    ['PublishAgent', [draft, published('draft')]],
    ['WithdrawAgent', [draft]],
    ['WithdrawAgent', [live, withdrawn('live')]],
  ] as const)('%s refuses an agent that is there already', (type, events) => {
    given(events).when(move(type, events[0].data.agentId)).thenRefused('already_in_universe');
  });

  it.each(['PublishAgent', 'WithdrawAgent'] as const)(
    '%s reveals nothing of an agent to another organisation',
    (type) => {
      const others: AgentEvent[][] = [
        [],
        [agentRegistered({ agentId: 'x' })],
        [agentRegistered({ agentId: 'x', ...ofOrganisation, orgId: 'org-2' })],
        [agentRegistered({ agentId: 'x', ...ofOrganisation, orgId: 'org-2', universe: sandboxOf('org-2') })],
        [agentRegistered({ agentId: 'x', ...ofOrganisation, orgId: 'org-2' }), paired('x', 'y')],
      ];
      const messages = others.map(
        (events) => given(events).when(move(type, 'x')).thenRefused('agent_not_found').message,
      );
      expect(new Set(messages).size).toBe(1);
    },
  );

  it.each([
    ['PublishAgent', [draft, paired('draft', 'live')]],
    ['WithdrawAgent', [draft, paired('draft', 'live')]],
    ['WithdrawAgent', [live, paired('live', 'draft')]],
    ['PublishAgent', [live, paired('live', 'draft')]],
  ] as const)('%s refuses either agent of a pair, in either universe', (type, events) => {
    given(events).when(move(type, events[0].data.agentId)).thenRefused('clone_paired');
  });

  it('move an agent whose place for a clone is void, but not a paired one', () => {
    const voidPair = [live, paired('live', 'taken')];
    given(voidPair)
      .when(move('WithdrawAgent', 'live', { voidCloneId: 'taken' }))
      .then([withdrawn('live')]);
    given([live, paired('live', 'draft')])
      .when(move('WithdrawAgent', 'live', { voidCloneId: 'taken' }))
      .thenRefused('clone_paired');
  });
});

const clone = agentRegistered({
  ...draft.data,
  configuration: someConfiguration({ specialty: 'new', protocol: 'https' }),
});
const draftState = (over: Partial<RegisteredAgent> = {}): RegisteredAgent => ({
  ...(stateOf(clone, paired('draft', 'live')) as RegisteredAgent),
  ...over,
});
const promote = (over: Partial<PromoteAgent> = {}): PromoteAgent => ({
  type: 'PromoteAgent',
  agentId: 'live',
  draft: draftState(),
  reservation: null,
  leaving: null,
  now: atSecond(9),
  ...over,
});
const livePaired = [live, paired('live', 'draft')];
const promoted = (over: object = {}): AgentEvent => ({
  type: 'ConfigurationPromoted',
  data: {
    agentId: 'live',
    fromAgentId: 'draft',
    configuration: clone.data.configuration,
    changedFields: ['protocol', 'specialty'],
    promotedAt: atSecond(9),
    ...over,
  },
});

describe('promote', () => {
  it('gives the live agent the whole configuration of its draft', () => {
    given(livePaired).when(promote()).then([promoted()]);
  });

  it('is recorded even if both configurations were equal', () => {
    given([...livePaired, promoted()])
      .when(promote())
      .then([promoted({ changedFields: [] })]);
  });

  it("leaves the live agent's identity and resources alone", () => {
    const before = stateOf(...livePaired) as RegisteredAgent;
    const after = agentDecider
      .decide(
        promote({
          draft: draftState({
            contact: { contactInfo: someSealed('c'), contactEmail: someSealed('c@x.example') },
            publicKey: 'k',
          }),
        }),
        before,
      )
      .reduce(agentDecider.evolve, before as AgentState);
    expect(after).toEqual({ ...before, configuration: clone.data.configuration });
  });

  it.each<[string, AgentEvent[], Partial<RegisteredAgent>]>([
    ['a live agent that names nobody', [live], {}],
    ['a live agent that names another', [live, paired('live', 'other')], {}],
    ['a draft that names another', livePaired, { relatedAgentId: 'other' }],
    ['an agent that is not registered', [], {}],
    [
      'an agent of another organisation',
      [agentRegistered({ ...live.data, orgId: 'org-2' }), paired('live', 'draft')],
      {},
    ],
    ['a draft that is in production', livePaired, { universe: { kind: 'production' } }],
    ['a live agent in the sandbox', [draft, paired('draft', 'draft')], {}],
  ])('is refused for %s, always with the same text', (_, events, over) => {
    const refusal = given(events)
      .when(promote({ draft: draftState(over) }))
      .thenRefused('not_a_confirmed_pair');
    const unknown = given([]).when(promote()).thenRefused('not_a_confirmed_pair');
    expect(refusal.message).toBe(unknown.message);
  });

  it('applies the rules for configurations to the draft', () => {
    const heavy = [1, 2].map((n) => ({ name: `c${n}`, weight: 3 }));
    const broken = (over: Parameters<typeof someConfiguration>[0]) =>
      promote({ draft: draftState({ configuration: someConfiguration(over) }) });
    given(livePaired)
      .when(broken({ capabilities: heavy }))
      .thenRefused('capability_weights_exceeded');
    const incomplete = given(livePaired)
      .when(broken({ priceSchedule: [{ task: 'quote', price: 1 }] }))
      .thenRefused('price_schedule_incomplete');
    // The body of a promotion has no price_schedule, so the fault lies at the draft.
    expect(incomplete.items).toMatchObject([{ loc: ['body', 'sandbox_agent_id'] }]);
  });

  it('copies an org_domain only if the draft has one, with its reservation', () => {
    const withDomain = [agentRegistered({ ...live.data, orgDomain: 'live.example' }), paired('live', 'draft')];
    given(withDomain).when(promote()).then([promoted()]);
    given(withDomain)
      .when(
        promote({
          draft: draftState({ orgDomain: 'draft.example' }),
          reservation: { domain: 'draft.example', revision: 4 },
          leaving: { domain: 'live.example', revision: 2 },
        }),
      )
      .then([
        { type: 'OrgDomainChanged', data: { agentId: 'live', orgDomain: 'draft.example', changedAt: atSecond(9) } },
        {
          type: 'OrgDomainReservationLapsed',
          data: { agentId: 'live', domain: 'live.example', reservationRevision: 2, lapsedAt: atSecond(9) },
        },
        promoted(),
      ]);
    given(withDomain)
      .when(promote({ draft: draftState({ orgDomain: 'live.example' }) }))
      .then([promoted()]);
    given(withDomain)
      .when(promote({ draft: draftState({ orgDomain: 'draft.example' }) }))
      .thenRefused('org_domain_taken');
  });

  it('lists what it copies: the whole configuration, and the org_domain of a draft that has one', () => {
    expect(promotedFields(draftState())).toEqual(Object.keys(clone.data.configuration));
    expect(promotedFields(draftState({ orgDomain: 'd.example' }))).toContain('orgDomain');
  });
});

describe('the draft of a promotion', () => {
  it('is a sandbox agent of the organisation', () => {
    expect(ensureDraft('draft', 'org-1', stateOf(draft)).agentId).toBe('draft');
    const refusal = (state: AgentState) => () => ensureDraft('draft', 'org-1', state);
    expect(refusal(stateOf(agentRegistered({ ...draft.data, orgId: 'org-2' })))).toThrow(
      expect.objectContaining({ code: 'agent_not_found' }),
    );
    expect(refusal(stateOf())).toThrow(expect.objectContaining({ code: 'agent_not_found' }));
    expect(refusal(stateOf(live))).toThrow(expect.objectContaining({ code: 'wrong_universe' }));
  });

  it('goes to the requested live agent, else to its paired one', () => {
    expect(liveAgentIdOf(draftState(), 'asked')).toBe('asked');
    expect(liveAgentIdOf(draftState(), null)).toBe('live');
    expect(() => liveAgentIdOf(draftState({ relatedAgentId: null }), null)).toThrow(
      expect.objectContaining({ code: 'not_a_confirmed_pair' }),
    );
  });
});

describe('an agent that the caller cannot see', () => {
  it('is refused in the words for one that is not registered, which name the id', () => {
    const registered = fold(agentDecider, [live]);
    const none = fold(agentDecider, []);
    expect(ensureRegisteredAgent('live', registered)).toBe(registered);
    const words = 'no agent "live" is registered in this universe';
    expect(() => ensureRegisteredAgent('live', registered, false)).toThrow(words);
    expect(() => ensureRegisteredAgent('live', none)).toThrow(words);
  });
});
