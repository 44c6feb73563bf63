import type { AgentConfiguration, AgentEvent, ConfigurationField, ConfigurationPatch } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  atSecond,
  givenFor,
  someConfiguration,
  somePublicKey,
  updateAgentCommand,
  updateCredentials,
  someSealed,
} from '../testing/index.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const payment = { paymentNetwork: 'base', paymentPayTo: '0xabc', paymentAsset: 'USDC' };
const priceSchedule = [{ task: 'quote', price: 1 }];
const admin = updateCredentials({ admin: true });

const changed = (
  before: AgentConfiguration,
  patch: Partial<AgentConfiguration>,
  ...changedFields: ConfigurationField[]
): AgentEvent => ({
  type: 'ConfigurationChanged',
  data: { agentId: 'agent-1', configuration: { ...before, ...patch }, changedFields, changedAt: atSecond(60) },
});
const update = (configuration: ConfigurationPatch) => updateAgentCommand({ configuration });
const ofWeights = (...weights: number[]) => weights.map((weight, index) => ({ name: `c${index}`, weight }));
const withConfiguration = (over: Partial<AgentConfiguration>) =>
  agentRegistered({ configuration: someConfiguration(over) });

describe('only the fields that are present are written', () => {
  it('without fields, or without a difference, it records no event', () => {
    given([agentRegistered()]).when(updateAgentCommand()).thenNothing();
    given([agentRegistered()]).when(update(someConfiguration())).thenNothing();
    given([agentRegistered()])
      .when(
        updateAgentCommand({
          contact: { contactInfo: null, contactEmail: someSealed('owner@agent.example') },
          publicKey: null,
        }),
      )
      .thenNothing();
  });

  it('the order of members from the log makes no difference', () => {
    const payloadSchema = { currency: 'EUR', dateFormat: null, quantityUnit: null, weightUnit: 'kg' };
    given([withConfiguration({ payloadSchema })])
      .when(update({ payloadSchema: { weightUnit: 'kg', quantityUnit: null, dateFormat: null, currency: 'EUR' } }))
      .thenNothing();
  });

  it('one event has the whole configuration, and the changed fields', () => {
    const before = someConfiguration({ specialty: 'old', signupHelp: 'x' });
    given([agentRegistered({ configuration: before })])
      .when(update({ specialty: 'new', signupHelp: null, protocol: null }))
      .then([changed(before, { specialty: 'new', signupHelp: null }, 'specialty', 'signupHelp')]);
  });

  it('contact, key and configuration come in one append, each with its own event', () => {
    const decided = agentDecider.decide(
      updateAgentCommand({
        contact: { contactEmail: null },
        publicKey: somePublicKey,
        configuration: { specialty: 's' },
      }),
      fold(agentDecider, [
        agentRegistered({ contact: { contactInfo: someSealed('x'), contactEmail: someSealed('a@b.example') } }),
      ]),
    );
    expect(decided.map(({ type }) => type)).toEqual(['ContactChanged', 'PublicKeyReplaced', 'ConfigurationChanged']);
    expect(decided[0]?.data).toMatchObject({ contact: { contactInfo: someSealed('x'), contactEmail: null } });
  });

  it('any patch changes its own fields and nothing else', () => {
    const value = fc.option(fc.string({ maxLength: 5 }), { nil: null });
    const patch = fc.record(
      {
        protocol: value,
        specialty: value,
        signupHelp: value,
        endpointUrl: value,
        settlementRail: fc.option(fc.array(fc.string()), { nil: null }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(patch, patch, (first, second) => {
        const state = fold(agentDecider, [withConfiguration(first)]);
        const after = fold(agentDecider, agentDecider.decide(update(second), state), state);
        expect(after).toEqual({ ...state, configuration: { ...someConfiguration(first), ...second } });
      }),
    );
  });
});

describe('public_key', () => {
  const replaced = (publicKey: string | null): AgentEvent => ({
    type: 'PublicKeyReplaced',
    data: { agentId: 'agent-1', publicKey, replacedAt: atSecond(60) },
  });

  it('is replaced, kept, or cleared; the bearer key stays', () => {
    given([agentRegistered()])
      .when(updateAgentCommand({ publicKey: somePublicKey }))
      .then([replaced(somePublicKey)]);
    given([agentRegistered({ publicKey: somePublicKey })])
      .when(updateAgentCommand({ publicKey: somePublicKey }))
      .thenNothing();
    given([agentRegistered({ publicKey: somePublicKey })])
      .when(updateAgentCommand({ publicKey: null }))
      .then([replaced(null)]);
  });

  it('that is invalid is refused, for the admin too', () => {
    for (const credentials of [updateCredentials({ agentId: 'agent-1' }), admin]) {
      given([agentRegistered()])
        .when(updateAgentCommand({ credentials, publicKey: 'A'.repeat(43) }))
        .thenRefused('invalid_public_key');
    }
  });
});

describe('capability weight tiers apply to the result', () => {
  it('at their limit and beyond, after merging', () => {
    const before = someConfiguration();
    given([agentRegistered()])
      .when(update({ capabilities: [...ofWeights(3, 2, 2), { name: 'c0', weight: 1 }] }))
      .then([changed(before, { capabilities: ofWeights(3, 2, 2) }, 'capabilities')]);
    given([agentRegistered()])
      .when(update({ capabilities: ofWeights(3, 3) }))
      .thenRefused('capability_weights_exceeded');
  });

  it('except for the admin', () => {
    given([agentRegistered()])
      .when(updateAgentCommand({ credentials: admin, configuration: { capabilities: ofWeights(3, 3) } }))
      .then([changed(someConfiguration(), { capabilities: ofWeights(3, 3) }, 'capabilities')]);
  });

  it('and ignore an agent that the admin allowed to exceed them, until the update names capabilities', () => {
    const capabilities = ofWeights(3, 3);
    given([withConfiguration({ capabilities })])
      .when(update({ specialty: 's' }))
      .then([changed(someConfiguration({ capabilities }), { specialty: 's' }, 'specialty')]);
    given([withConfiguration({ capabilities })])
      .when(update({ capabilities }))
      .thenRefused('capability_weights_exceeded');
  });
});

describe('a price schedule needs the payment fields, in the same request or stored', () => {
  it('in the same request', () => {
    given([agentRegistered()])
      .when(update({ priceSchedule, ...payment }))
      .then([
        changed(
          someConfiguration(),
          { priceSchedule, ...payment },
          'priceSchedule',
          'paymentNetwork',
          'paymentPayTo',
          'paymentAsset',
        ),
      ]);
    given([agentRegistered()]).when(update({ priceSchedule })).thenRefused('price_schedule_incomplete');
  });

  it('stored before', () => {
    given([withConfiguration(payment)])
      .when(update({ priceSchedule }))
      .then([changed(someConfiguration(payment), { priceSchedule }, 'priceSchedule')]);
  });

  it.each(Object.keys(payment) as (keyof typeof payment)[])(
    '%s cannot be cleared while prices stay, but together with them',
    (field) => {
      const before = someConfiguration({ ...payment, priceSchedule });
      given([agentRegistered({ configuration: before })])
        .when(update({ [field]: null }))
        .thenRefused('price_schedule_incomplete');
      given([agentRegistered({ configuration: before })])
        .when(update({ [field]: null, priceSchedule: null }))
        .then([changed(before, { [field]: null, priceSchedule: null }, 'priceSchedule', field)]);
    },
  );

  it('except for the admin, and for an agent that the admin allowed to omit them', () => {
    given([agentRegistered()])
      .when(updateAgentCommand({ credentials: admin, configuration: { priceSchedule } }))
      .then([changed(someConfiguration(), { priceSchedule }, 'priceSchedule')]);
    given([withConfiguration({ priceSchedule })])
      .when(update({ specialty: 's' }))
      .then([changed(someConfiguration({ priceSchedule }), { specialty: 's' }, 'specialty')]);
  });
});

it('answers about capabilities are recorded with the result', () => {
  const answered = [{ submitted: 'translating', candidate: 'translation', accepted: true }];
  given([agentRegistered()])
    .when(updateAgentCommand({ answered, configuration: { capabilities: ofWeights(1) } }))
    .then([
      changed(someConfiguration(), { capabilities: ofWeights(1) }, 'capabilities'),
      {
        type: 'CapabilityConfirmationAnswered',
        data: { agentId: 'agent-1', universe: { kind: 'production' }, ...answered[0]!, answeredAt: atSecond(60) },
      },
    ]);
});
