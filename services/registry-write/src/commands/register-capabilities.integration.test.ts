import {
  agentStream,
  type CapabilityResolution,
  production,
  registerAgent,
  type Universe,
} from '@agent-trust/contracts';
import { someConfiguration } from '@agent-trust/domain/testing';
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { orgKeyOf, registerInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

type Over = Partial<Parameters<typeof registerInput>[0]>;
const sandbox: Universe = { kind: 'sandbox', orgId: 'org-1' };
const close: CapabilityResolution = {
  name: 'translating',
  outcome: 'clear',
  candidates: [
    { name: 'translation', similarity: 0.8123 },
    { name: 'transcription', similarity: 0.4 },
  ],
};
const knownNames: CapabilityResolution[] = [
  close,
  { name: 'translation', outcome: 'exact', canonical: 'translation' },
  { name: 'mt', outcome: 'alias', canonical: 'translation' },
];

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite();
  for (const resolution of knownNames) registry.projection.taxonomy.set(resolution.name, resolution);
});
afterAll(() => registry.stop());

const offering = (names: (string | [string, number])[], over: Over = {}): Over => ({
  configuration: {
    capabilities: names.map((one) =>
      typeof one === 'string' ? { name: one, weight: 1 } : { name: one[0], weight: one[1] },
    ),
  },
  ...over,
});
const register = (agentId: string, over: Over) => registry.ask(registerAgent, registerInput({ agentId, ...over }));
const outcomeOf = async (agentId: string, over: Over): Promise<string> => {
  const answer = register(agentId, over);
  const word = await registry.outcomeOf(answer);
  return word === 'ok' ? (await answer).outcome : word;
};
const capabilitiesOf = async (agentId: string): Promise<unknown> => {
  const [registered] = await registry.eventsOf(agentStream(agentId));
  return registered?.type === 'AgentRegistered' ? registered.data.configuration.capabilities : null;
};
const yes = { confirmations: { translating: true }, candidateMatches: { translating: 'transcription' } };
const no = { confirmations: { translating: false } };

describe('submitted capabilities', () => {
  it('are stored by their canonical names, merged with the higher weight', async () => {
    await register('merged', offering([['mt', 3], 'translation', 'dowsing']));
    expect(await capabilitiesOf('merged')).toEqual([
      { name: 'translation', weight: 3 },
      { name: 'dowsing', weight: 1 },
    ]);
  });

  it('count for the weight tiers by their canonical names', async () => {
    expect(
      await outcomeOf(
        'fits',
        offering([
          ['mt', 3],
          ['translation', 3],
        ]),
      ),
    ).toBe('registered');
    expect(
      await outcomeOf(
        'heavy',
        offering([
          ['mt', 3],
          ['dowsing', 3],
        ]),
      ),
    ).toBe('capability_weights_exceeded');
  });

  it('cause a question if they are only similar, and nothing is written', async () => {
    const before = await registry.log.headPosition();
    const over = offering(['translating', 'dowsing'], { credential: orgKeyOf('org-1'), orgDomain: 'asked.example' });
    expect(await register('asked', over)).toEqual({
      outcome: 'confirmation_required',
      candidateMatches: { translating: 'translation' },
      candidates: { translating: close.outcome === 'clear' ? close.candidates : [] },
    });
    expect(await registry.log.headPosition()).toBe(before);
  });

  it.each([
    ['yes', production, yes, 'transcription', { candidate: 'transcription', accepted: true }],
    ['no', sandbox, no, 'translating', { candidate: 'translation', accepted: false }],
  ])('an answer of %s is recorded with the registration, in one append', async (_, universe, answer, name, data) => {
    const agentId = `answered-${name}`;
    await register(agentId, offering(['translating'], { credential: orgKeyOf('org-1', universe), ...answer }));
    expect(await capabilitiesOf(agentId)).toEqual([{ name, weight: 1 }]);
    expect(await registry.eventsOf(agentStream(agentId))).toMatchObject([
      { type: 'AgentRegistered' },
      { type: 'CapabilityConfirmationAnswered', data: { agentId, universe, submitted: 'translating', ...data } },
      { type: 'ClaimIssued' },
    ]);
  });

  it('cause a question last: any other fault is reported first', async () => {
    await register('holder', { credential: orgKeyOf('org-1'), orgDomain: 'held.example' });
    const org = { credential: orgKeyOf('org-1') };
    const asked = (over: Over) => outcomeOf('late', offering(['translating'], over));
    expect(await asked({})).toBe('confirmation_required');
    expect(await asked({ orgName: 'Acme' })).toBe('org_fields_forbidden');
    expect(await asked({ publicKey: 'x' })).toBe('invalid_public_key');
    expect(await asked({ contact: { contactInfo: null, contactEmail: null } })).toBe('contact_required');
    expect(await asked({ ...org, orgDomain: 'held.example' })).toBe('org_domain_taken');
    expect(await outcomeOf('holder', offering(['translating'], org))).toBe('agent_id_taken');
    expect(await outcomeOf('late', offering(['translating', ['a', 3], ['b', 3]]))).toBe('capability_weights_exceeded');
    // The name in question may turn out to be one of the two that exceed the tiers together.
    expect(await outcomeOf('late', offering(['translating', 'a', 'b', 'translation']))).toBe('confirmation_required');
  });
});

describe('the taxonomy gets a query', () => {
  const asked = async (agentId: string, over: Over): Promise<unknown> => {
    const before = registry.projection.resolved.length;
    await register(agentId, over);
    return registry.projection.resolved.slice(before);
  };

  it("in the agent's universe, once for each name", async () => {
    const over = offering(['translation', 'mt', 'mt']);
    expect(await asked('in-production', over)).toEqual([{ universe: production, names: ['translation', 'mt'] }]);
    expect(await asked('in-sandbox', { ...over, credential: orgKeyOf('org-1', sandbox) })).toEqual([
      { universe: sandbox, names: ['translation', 'mt'] },
    ]);
  });

  it('never without submitted names, from the admin, or for the copied names of a clone', async () => {
    expect(await asked('nameless', {})).toEqual([]);
    const heavy = offering(['translating', ['mt', 3], ['mt', 1], ['x', 3]], {
      credential: { kind: 'admin', verified: false },
    });
    expect(await asked('by-admin', heavy)).toEqual([]);
    expect(await capabilitiesOf('by-admin')).toEqual([
      { name: 'translating', weight: 1 },
      { name: 'mt', weight: 3 },
      { name: 'x', weight: 3 },
    ]);
    await register('model', { ...offering(['translating'], no), credential: orgKeyOf('org-1') });
    const clone = { cloneFromAgentId: 'model', credential: orgKeyOf('org-1', sandbox) };
    expect(await asked('copy', { configuration: {}, ...clone })).toEqual([]);
    expect(await capabilitiesOf('copy')).toEqual([{ name: 'translating', weight: 1 }]);
  });
});

it('without the taxonomy a registration with names fails as unavailable and writes nothing; one without names succeeds', async () => {
  const alone = await startRegistryWrite({ instances: 1 });
  onTestFinished(() => alone.stop());
  await alone.projection.leave();
  const over = { ...offering(['mt']), credential: orgKeyOf('org-1'), orgDomain: 'alone.example' };
  const outcome = (input: Over) => alone.outcomeOf(alone.ask(registerAgent, registerInput({ agentId: 'a', ...input })));
  expect(await outcome(over)).toBe('unavailable');
  expect(await alone.log.headPosition()).toBeNull();
  expect(await outcome({ configuration: someConfiguration() })).toBe('ok');
});

it('names of the seed are resolved without a question to trust-projection, others with one', async () => {
  const seed = new Map<string, CapabilityResolution>([
    ['mt', { name: 'mt', outcome: 'alias', canonical: 'machine_translation' }],
  ]);
  const knowing = await startRegistryWrite({ instances: 1, seed: { resolve: (name) => seed.get(name) ?? null } });
  onTestFinished(() => knowing.stop());
  knowing.projection.taxonomy.set('ocr', { name: 'ocr', outcome: 'alias', canonical: 'text_recognition' });
  const registered = async (agentId: string, names: string[]): Promise<unknown> => {
    await knowing.ask(registerAgent, registerInput({ agentId, ...offering(names) }));
    const [event] = await knowing.eventsOf(agentStream(agentId));
    return event?.type === 'AgentRegistered' ? event.data.configuration.capabilities.map(({ name }) => name) : null;
  };
  expect(await registered('seed-alone', ['mt'])).toEqual(['machine_translation']);
  expect(knowing.projection.resolved).toEqual([]);
  expect(await registered('both', ['ocr', 'mt', 'dowsing'])).toEqual([
    'text_recognition',
    'machine_translation',
    'dowsing',
  ]);
  expect(knowing.projection.resolved).toEqual([{ universe: production, names: ['ocr', 'dowsing'] }]);
});
