import { randomUUID } from 'node:crypto';
import {
  type AgentConfiguration,
  type AgentEvent,
  agentStream,
  type CapabilityResolution,
  type ConfigurationPatch,
  production,
  registerAgent,
  type Universe,
  updateAgent,
} from '@agent-trust/contracts';
import { agentDecider, fold, type RegisteredAgent } from '@agent-trust/domain';
import { someConfiguration, somePublicKey } from '@agent-trust/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgKeyOf, registerInput, updatedBy, updateInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

type Over = Parameters<typeof updateInput>[0];
const sandbox: Universe = { kind: 'sandbox', orgId: 'org-1' };
const close: CapabilityResolution = {
  name: 'translating',
  outcome: 'clear',
  candidates: [{ name: 'translation', similarity: 0.8123 }],
};
const admin = { agentId: null, organisation: null, admin: true };

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 3 });
  registry.projection.taxonomy.set('translating', close);
  registry.projection.taxonomy.set('mt', { name: 'mt', outcome: 'alias', canonical: 'translation' });
});
afterAll(() => registry.stop());

const register = (over: Parameters<typeof registerInput>[0]) => registry.ask(registerAgent, registerInput(over));
const update = (over: Over) => registry.ask(updateAgent, updateInput(over));
/** `updated`, `confirmation_required`, or the code of the refusal. */
const outcomeOf = async (over: Over): Promise<string> => {
  const answer = update(over);
  const word = await registry.outcomeOf(answer);
  return word === 'ok' ? (await answer).outcome : word;
};
const eventsOf = async (agentId: string): Promise<AgentEvent[]> =>
  (await registry.eventsOf(agentStream(agentId))) as AgentEvent[];
const typesOf = async (agentId: string): Promise<string[]> =>
  (await eventsOf(agentId)).map(({ type }) => type).filter((type) => type !== 'ClaimIssued');
const stateOf = async (agentId: string): Promise<RegisteredAgent> =>
  fold(agentDecider, await eventsOf(agentId)) as RegisteredAgent;
const offering = (...names: string[]): Pick<AgentConfiguration, 'capabilities'> => ({
  capabilities: names.map((name) => ({ name, weight: 1 })),
});

describe('updating an agent', () => {
  it('appends all changes at once, records the caller, and returns the position', async () => {
    await register({ agentId: 'many' });
    const actor = { kind: 'organisation', id: 'org-1' } as const;
    const answer = await update({
      agentId: 'many',
      contact: { contactInfo: 'x' },
      publicKey: somePublicKey,
      configuration: { specialty: 's', protocol: null },
      credentials: updatedBy('org-1', production, 'many'),
      orgDomain: 'many.example',
      actor,
    });
    const recorded = await registry.recordedIn(agentStream('many'));
    expect(recorded.slice(2).map(({ type }) => type)).toEqual([
      'AgentAdopted',
      'OrgDomainChanged',
      'ContactChanged',
      'PublicKeyReplaced',
      'ConfigurationChanged',
    ]);
    expect(answer).toEqual({
      outcome: 'updated',
      universe: production,
      position: recorded.at(-1)?.position.toString(),
    });
    for (const { metadata } of recorded.slice(2)) expect(metadata).toMatchObject({ actor });
    expect(await stateOf('many')).toMatchObject({
      orgId: 'org-1',
      orgDomain: 'many.example',
      verified: true,
      configuration: someConfiguration({ specialty: 's' }),
    });
    expect(await registry.contactOf('many')).toEqual({ contactInfo: 'x', contactEmail: 'owner@agent.example' });
  });

  it('without a change writes nothing, and returns the position to read from', async () => {
    await register({ agentId: 'same' });
    const last = (await registry.recordedIn(agentStream('same'))).at(-1)?.position.toString();
    expect(await update({ agentId: 'same' })).toMatchObject({ outcome: 'updated', position: last });
    expect(await update({ agentId: 'same', configuration: someConfiguration() })).toMatchObject({ position: last });
    expect(await typesOf('same')).toEqual(['AgentRegistered']);
  });

  it('repeated under one command id is carried out once', async () => {
    await register({ agentId: 'again' });
    const input = { agentId: 'again', configuration: { specialty: 'once' }, commandId: randomUUID() };
    const first = await update(input);
    await update({ agentId: 'again', configuration: { specialty: 'later' } });
    const repeated = await update(input);
    expect(repeated.outcome).toBe(first.outcome);
    expect((await stateOf('again')).configuration.specialty).toBe('later');
    expect(await typesOf('again')).toEqual(['AgentRegistered', 'ConfigurationChanged', 'ConfigurationChanged']);
  });

  it('refuses in the order of the rules, and leaves no trace', async () => {
    await register({ agentId: 'ordered', credential: orgKeyOf('org-1'), orgDomain: 'ordered.example' });
    await register({ agentId: 'other', credential: orgKeyOf('org-2'), orgDomain: 'other.example' });
    const before = (await registry.log.headPosition()) ?? 0n;
    const wrong: Over = {
      agentId: 'ordered',
      publicKey: 'x',
      orgDomain: 'other.example',
      configuration: { ...offering('translating', 'a', 'b', 'c', 'd'), priceSchedule: [{ task: 't', price: 1 }] },
      credentials: updatedBy('org-1'),
    };
    const fewer = { ...wrong.configuration, ...offering('translating', 'a') };
    const priced = { ...fewer, priceSchedule: null };
    expect(await outcomeOf({ ...wrong, agentId: 'nobody' })).toBe('agent_not_found');
    expect(await outcomeOf({ ...wrong, credentials: updatedBy('org-3') })).toBe('not_owner');
    expect(await outcomeOf({ ...wrong, credentials: updatedBy('org-1', sandbox) })).toBe('wrong_universe');
    expect(await outcomeOf({ ...wrong, pullFromAgentId: 'other' })).toBe('sandbox_key_required');
    expect(await outcomeOf({ ...wrong, credentials: { ...admin, admin: false, agentId: 'ordered' } })).toBe(
      'org_fields_forbidden',
    );
    expect(await outcomeOf(wrong)).toBe('invalid_public_key');
    expect(await outcomeOf({ ...wrong, publicKey: null })).toBe('capability_weights_exceeded');
    expect(await outcomeOf({ ...wrong, publicKey: null, configuration: fewer })).toBe('price_schedule_incomplete');
    expect(await outcomeOf({ ...wrong, publicKey: null, configuration: priced })).toBe('org_domain_taken');
    const free = { ...wrong, publicKey: null, configuration: priced, orgDomain: 'nobodys.example' };
    expect(await outcomeOf(free)).toBe('confirmation_required');
    expect(await registry.log.headPosition()).toBe(before);
  });
});

describe('submitted capabilities', () => {
  it('cause a question if they are only similar, and are stored with the answer', async () => {
    await register({ agentId: 'asked' });
    const asked = { agentId: 'asked', configuration: offering('translating', 'mt') };
    expect(await update(asked)).toEqual({
      outcome: 'confirmation_required',
      candidateMatches: { translating: 'translation' },
      candidates: { translating: [{ name: 'translation', similarity: 0.8123 }] },
    });
    expect(await typesOf('asked')).toEqual(['AgentRegistered']);
    const no = { ...asked, confirmations: { translating: false } };
    expect(await outcomeOf(no)).toBe('updated');
    expect((await eventsOf('asked')).slice(2)).toMatchObject([
      {
        type: 'ConfigurationChanged',
        data: { configuration: offering('translating', 'translation'), changedFields: ['capabilities'] },
      },
      {
        type: 'CapabilityConfirmationAnswered',
        data: { submitted: 'translating', candidate: 'translation', accepted: false, universe: production },
      },
    ]);
  });

  it('cause no query if the agent has them, for the admin, or if they are pulled', async () => {
    await register({
      agentId: 'has-it',
      credential: { kind: 'admin', verified: false },
      configuration: offering('translating'),
    });
    const before = registry.projection.resolved.length;
    expect(await outcomeOf({ agentId: 'has-it', configuration: offering('translating') })).toBe('updated');
    expect(await outcomeOf({ agentId: 'has-it', configuration: offering('mt'), credentials: admin })).toBe('updated');
    expect(registry.projection.resolved).toHaveLength(before);
    expect(await outcomeOf({ agentId: 'has-it', configuration: offering('mt', 'new one') })).toBe('updated');
    expect(registry.projection.resolved.slice(before)).toEqual([{ universe: production, names: ['new one'] }]);
  });
});

describe('pulling', () => {
  it('copies the live configuration, except the named fields', async () => {
    const configuration = someConfiguration({ specialty: 'live', protocol: 'p', ...offering('translating') });
    await register({ agentId: 'model', credential: orgKeyOf('org-1'), configuration: {} });
    await register({
      agentId: 'draft',
      credential: orgKeyOf('org-1', sandbox),
      cloneFromAgentId: 'model',
      configuration: {},
    });
    await update({ agentId: 'model', configuration, credentials: admin });
    const pull = { agentId: 'draft', pullFromAgentId: 'model', credentials: updatedBy('org-1', sandbox) };
    expect(await update({ ...pull, configuration: { protocol: 'own' } })).toMatchObject({ universe: sandbox });
    expect((await eventsOf('draft')).at(-1)).toMatchObject({
      type: 'ConfigurationPulled',
      data: { fromAgentId: 'model', configuration: { ...configuration, protocol: 'own' } },
    });
    expect(await outcomeOf({ ...pull, pullFromAgentId: 'many' })).toBe('not_a_confirmed_pair');
  });
});

/*
 * Bug: two updates read the same configuration, and the later one overwrites the earlier one's field.
 * Method: one update for each of many fields, all at once over three instances; the result must have every one.
 */
it('twenty concurrent updates of different fields all take effect', async () => {
  await register({ agentId: 'busy', credential: orgKeyOf('org-1') });
  const payment = { paymentNetwork: 'n', paymentPayTo: 'p', paymentAsset: 'a' };
  const patches: ConfigurationPatch[] = [
    { endpointUrl: 'https://busy.example/' },
    { protocol: 'https' },
    { acceptedTermsFormat: 'json' },
    { settlementRail: ['x402'] },
    { httpMethods: ['GET'] },
    { specialty: 's' },
    ...Object.entries(payment).map(([field, value]) => ({ [field]: value })),
    { messageProtocol: 'mcp' },
    { a2aCompliant: true },
    { acceptedContentTypes: [] },
    { payloadSchema: { currency: 'EUR', dateFormat: null, quantityUnit: null, weightUnit: null } },
    { signupHelp: 'h' },
    { authHeaderName: 'X-Key' },
    offering('alone'),
  ];
  const updates: Over[] = [
    ...patches.map((configuration) => ({ agentId: 'busy', configuration })),
    { agentId: 'busy', contact: { contactInfo: 'i' } },
    { agentId: 'busy', contact: { contactEmail: 'e@busy.example' } },
    { agentId: 'busy', publicKey: somePublicKey },
    { agentId: 'busy', orgDomain: 'busy.example', credentials: updatedBy('org-1') },
  ];
  expect(updates).toHaveLength(20);
  expect(await Promise.all(updates.map(outcomeOf))).toEqual(updates.map(() => 'updated'));
  expect(await stateOf('busy')).toMatchObject({
    configuration: Object.assign({}, ...patches) as ConfigurationPatch,
    publicKey: somePublicKey,
    orgDomain: 'busy.example',
  });
  expect(await registry.contactOf('busy')).toEqual({ contactInfo: 'i', contactEmail: 'e@busy.example' });
});
