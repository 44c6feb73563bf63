import type { AgentEvent, AgentRegistered } from '@agent-trust/contracts';
import { production } from '@agent-trust/contracts';
import { describe, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  atSecond,
  givenFor,
  sandboxOf,
  someConfiguration,
  updateAgentCommand,
  updateCredentials,
  someSealed,
} from '../testing/index.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const sandboxKey = { organisation: { orgId: 'org-1', orgName: 'Acme', universe: sandboxOf('org-1') } };
const productionKey = { organisation: { ...sandboxKey.organisation, universe: production } };

const liveConfiguration = someConfiguration({
  specialty: 'live',
  protocol: 'https',
  endpointUrl: 'https://live.example/',
});
const ofAcme = (over: Partial<AgentRegistered['data']>) =>
  agentRegistered({ orgId: 'org-1', orgName: 'Acme', ...over });
const paired = (agentId: string, relatedAgentId: string): AgentEvent => ({
  type: 'ClonePaired',
  data: { agentId, relatedAgentId, pairedAt: atSecond(1) },
});
const draftHistory: AgentEvent[] = [ofAcme({ universe: sandboxOf('org-1') }), paired('agent-1', 'live')];
const liveHistory: AgentEvent[] = [
  ofAcme({ agentId: 'live', configuration: liveConfiguration }),
  paired('live', 'agent-1'),
];

const pull = (history: readonly AgentEvent[] = liveHistory, fromAgentId = 'live') => ({
  credentials: updateCredentials(sandboxKey),
  pull: { fromAgentId, state: fold(agentDecider, history) },
});
const pulled = (
  configuration: typeof liveConfiguration,
  ...changedFields: (keyof typeof liveConfiguration)[]
): AgentEvent => ({
  type: 'ConfigurationPulled',
  data: { agentId: 'agent-1', fromAgentId: 'live', configuration, changedFields, pulledAt: atSecond(60) },
});

describe('pulling the configuration of the live counterpart', () => {
  it('overwrites the whole configuration', () => {
    given(draftHistory)
      .when(updateAgentCommand(pull()))
      .then([pulled(liveConfiguration, 'endpointUrl', 'protocol', 'specialty')]);
  });

  it('except the fields of the same request, including null', () => {
    given(draftHistory)
      .when(updateAgentCommand({ ...pull(), configuration: { specialty: 'draft', protocol: null } }))
      .then([pulled({ ...liveConfiguration, specialty: 'draft', protocol: null }, 'endpointUrl', 'specialty')]);
  });

  it('does not affect contact, key and organisation, and records nothing without a difference', () => {
    given(draftHistory)
      .when(
        updateAgentCommand(
          pull([
            ofAcme({ agentId: 'live', contact: { contactInfo: someSealed('x'), contactEmail: null } }),
            paired('live', 'agent-1'),
          ]),
        ),
      )
      .thenNothing();
  });

  it('applies the rules to the result', () => {
    const capabilities = [
      { name: 'a', weight: 3 },
      { name: 'b', weight: 3 },
    ];
    given(draftHistory)
      .when(
        updateAgentCommand(
          pull([
            ofAcme({ agentId: 'live', configuration: someConfiguration({ capabilities }) }),
            paired('live', 'agent-1'),
          ]),
        ),
      )
      .thenRefused('capability_weights_exceeded');
  });
});

describe('pulling is refused', () => {
  it('without a sandbox key, whatever other credentials there are', () => {
    for (const credentials of [
      { agentId: 'agent-1' },
      { admin: true },
      productionKey,
      { ...productionKey, admin: true },
    ]) {
      given(draftHistory)
        .when(updateAgentCommand({ ...pull(), credentials: updateCredentials(credentials) }))
        .thenRefused('sandbox_key_required');
    }
  });

  it.each<[string, AgentEvent[], AgentEvent[], string]>([
    ['an agent that nobody registered', draftHistory, [], 'live'],
    ['another agent than the one it is paired with', draftHistory, liveHistory, 'other'],
    ['itself', draftHistory, draftHistory, 'agent-1'],
    ['an agent that was never paired', [ofAcme({ universe: sandboxOf('org-1') })], liveHistory, 'live'],
    ['one that does not name it back', draftHistory, [...liveHistory.slice(0, 1), paired('live', 'agent-9')], 'live'],
    ['one that names nobody', draftHistory, liveHistory.slice(0, 1), 'live'],
    [
      'one of another organisation',
      draftHistory,
      [ofAcme({ agentId: 'live', orgId: 'org-2' }), paired('live', 'agent-1')],
      'live',
    ],
  ])('from %s', (_, draft, counterpart, fromAgentId) => {
    given(draft)
      .when(updateAgentCommand(pull(counterpart, fromAgentId)))
      .thenRefused('not_a_confirmed_pair');
  });

  it('for a live agent, because the sandbox key is for the other universe', () => {
    given([ofAcme({}), paired('agent-1', 'live')])
      .when(updateAgentCommand(pull()))
      .thenRefused('wrong_universe');
  });

  it("for another organisation's sandbox agent, with the answer for an unknown one", () => {
    given([agentRegistered({ orgId: 'org-2', universe: sandboxOf('org-2') })])
      .when(updateAgentCommand(pull()))
      .thenRefused('agent_not_found');
  });
});
