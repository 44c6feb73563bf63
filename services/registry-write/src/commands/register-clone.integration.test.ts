import { agentStream, orgDomainStream, registerAgent, type Universe } from '@agent-trust/contracts';
import { someConfiguration, somePublicKey } from '@agent-trust/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { orgKeyOf, registerInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

const sandbox: Universe = { kind: 'sandbox', orgId: 'org-1' };
type Over = Partial<Parameters<typeof registerInput>[0]>;

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 3 });
});
afterAll(() => registry.stop());

const live = (agentId: string, over: Over = {}, at = registry) =>
  at.ask(registerAgent, registerInput({ agentId, credential: orgKeyOf('org-1'), ...over }));
const cloneInput = (agentId: string, cloneFromAgentId: string, over: Over = {}) =>
  registerInput({ agentId, cloneFromAgentId, credential: orgKeyOf('org-1', sandbox), configuration: {}, ...over });
const clone = (agentId: string, from: string, over: Over = {}, at = registry): Promise<string> =>
  at.outcomeOf(at.ask(registerAgent, cloneInput(agentId, from, over)));
const tally = (outcomes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(outcomes)].sort().map((word) => [word, outcomes.filter((o) => o === word).length]));
const typesOf = async (agentId: string, at = registry): Promise<string[]> =>
  (await at.eventsOf(agentStream(agentId))).map(({ type }) => type);
const clonesOf = async (agentId: string, at = registry): Promise<string[]> =>
  (await at.eventsOf(agentStream(agentId))).flatMap((event) =>
    event.type === 'ClonePaired' ? [event.data.relatedAgentId] : [],
  );

describe('a clone', () => {
  const configuration = someConfiguration({
    specialty: 'quotes',
    protocol: 'p',
    signupHelp: 'ask',
    capabilities: [{ name: 'translation', weight: 3 }],
    messageProtocol: 'mcp',
  });

  it('copies the fields that it does not name, never contact, domain or key, and is paired from both sides', async () => {
    await live('model', { configuration, orgDomain: 'model.example', publicKey: somePublicKey });
    const contact = { contactInfo: 'the draft', contactEmail: null };
    const answer = await registry.ask(
      registerAgent,
      cloneInput('model-draft', 'model', { configuration: { specialty: null, a2aCompliant: true }, contact }),
    );
    expect(answer).toMatchObject({ outcome: 'registered', universe: sandbox });
    expect(await registry.eventsOf(agentStream('model-draft'))).toMatchObject([
      {
        type: 'AgentRegistered',
        data: {
          universe: sandbox,
          orgId: 'org-1',
          verified: true,
          trustPrior: 75,
          orgDomain: null,
          publicKey: null,
          configuration: { ...configuration, specialty: null, a2aCompliant: true },
        },
      },
      { type: 'ClonePaired', data: { agentId: 'model-draft', relatedAgentId: 'model' } },
      { type: 'ClaimIssued' },
    ]);
    expect(await registry.contactOf('model-draft')).toEqual(contact);
    expect(await clonesOf('model')).toEqual(['model-draft']);
    const { correlationId } = (await registry.recordedIn(agentStream('model-draft')))[0]?.metadata ?? {};
    expect((await registry.recordedIn(agentStream('model'))).at(-1)?.metadata).toMatchObject({ correlationId });
  });

  it.each([
    ['unknown', 'nobody', orgKeyOf('org-1', sandbox), 'agent_not_found'],
    ['one of no organisation', 'unaffiliated', orgKeyOf('org-1', sandbox), 'agent_not_found'],
    ['another organisation’s', 'model', orgKeyOf('org-2', { kind: 'sandbox', orgId: 'org-2' }), 'agent_not_found'],
    ['in the sandbox itself', 'model-draft', orgKeyOf('org-1', sandbox), 'agent_not_found'],
    ['cloned with a production key', 'model', orgKeyOf('org-1'), 'sandbox_key_required'],
    ['cloned without a key', 'model', { kind: 'none' } as const, 'sandbox_key_required'],
    ['cloned by the admin', 'model', { kind: 'admin', verified: true } as const, 'sandbox_key_required'],
    ['cloned twice', 'model', orgKeyOf('org-1', sandbox), 'already_paired'],
  ])('of an agent that is %s is refused, and leaves no trace', async (_, from, credential, code) => {
    await live('unaffiliated', { credential: { kind: 'none' } }).catch(() => undefined);
    const before = await registry.log.headPosition();
    expect(await clone('refused-draft', from, { credential })).toBe(code);
    expect(await registry.log.headPosition()).toBe(before);
  });

  it('that would be refused anyway reserves no place', async () => {
    await live('untouched', { configuration });
    const tooHeavy = [3, 3].map((weight, index) => ({ name: `c${index}`, weight }));
    expect(await clone('d', 'untouched', { publicKey: 'x' })).toBe('invalid_public_key');
    expect(await clone('d', 'untouched', { configuration: { capabilities: tooHeavy } })).toBe(
      'capability_weights_exceeded',
    );
    expect(await clone('d', 'untouched', { configuration: { priceSchedule: [{ task: 't', price: 1 }] } })).toBe(
      'price_schedule_incomplete',
    );
    expect(await clone('untouched', 'untouched')).toBe('agent_id_taken');
    expect(await clone('d', 'untouched', { orgDomain: 'model.example' })).toBe('org_domain_taken');
    expect(await clonesOf('untouched')).toEqual([]);
  });

  it('may name fields that its live agent lacks: the rules apply to the result', async () => {
    const paid = { paymentNetwork: 'base', paymentPayTo: '0xabc', paymentAsset: 'USDC' };
    await live('paid', { configuration: someConfiguration(paid) });
    const priced = { configuration: { priceSchedule: [{ task: 't', price: 1 }] } };
    expect(await clone('paid-draft', 'paid', { configuration: { ...priced.configuration, paymentAsset: null } })).toBe(
      'price_schedule_incomplete',
    );
    expect(await clone('paid-draft', 'paid', priced)).toBe('ok');
  });
});

/*
 * Bug: two clones of one live agent both find it unpaired, and both are paired.
 * Method: thirty at once over three instances; one may be acknowledged, and each stream may name one counterpart.
 */
describe('thirty clones of one agent at once', () => {
  it('under different ids: one becomes the clone', async () => {
    await live('popular');
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, index) => clone(`popular-${index}`, 'popular')));
    expect(tally(outcomes)).toEqual({ already_paired: 29, ok: 1 });
    expect(await clonesOf('popular')).toEqual([`popular-${outcomes.indexOf('ok')}`]);
  });

  it('under one id: one succeeds, the others are refused', async () => {
    await live('popular-too');
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => clone('one-draft', 'popular-too')));
    expect(tally(outcomes)).toEqual({ agent_id_taken: 29, ok: 1 });
    expect(await typesOf('one-draft')).toEqual(['AgentRegistered', 'ClonePaired', 'ClaimIssued']);
    expect(await clonesOf('popular-too')).toEqual(['one-draft']);
  });
});

/*
 * Bug: a process dies between the two streams of a pair, and the live agent can never be cloned again; or the place is reassigned while the first
 * process is only slow, and two clones name one live agent.
 * Method: the first append to the clone's stream fails, as if the process died there, or waits until the test continues it.
 */
describe('a clone without its registration', () => {
  const startDying = async (): Promise<TestRegistry> => {
    let died = false;
    const dying = await startRegistryWrite({
      instances: 1,
      wrapLog: (log) => ({
        ...log,
        readStream: (stream, options) => log.readStream(stream, options),
        append: (stream, events, options) => {
          if (died || stream !== agentStream('draft')) return log.append(stream, events, options);
          died = true;
          return Promise.reject(new Error('the process dies here'));
        },
      }),
    });
    onTestFinished(() => dying.stop());
    await live('model', {}, dying);
    await expect(
      dying.ask(registerAgent, cloneInput('draft', 'model', { orgDomain: 'draft.example' })),
    ).rejects.toMatchObject({ code: 'rpc_internal' });
    expect(await clonesOf('model', dying)).toEqual(['draft']);
    expect(await typesOf('draft', dying)).toEqual([]);
    return dying;
  };

  it('is completed by the same registration, repeated: it owns its place and its domain', async () => {
    const dying = await startDying();
    expect(await clone('another', 'model', {}, dying)).toBe('already_paired');
    expect(await clone('draft', 'model', { orgDomain: 'draft.example' }, dying)).toBe('ok');
    expect(await clonesOf('model', dying)).toEqual(['draft']);
    expect(await dying.eventsOf(orgDomainStream('draft.example'))).toHaveLength(1);
    expect(await typesOf('draft', dying)).toEqual(['AgentRegistered', 'ClonePaired', 'ClaimIssued']);
  });

  it('loses its place if its id was registered as an independent agent', async () => {
    const dying = await startDying();
    expect(await dying.outcomeOf(live('draft', {}, dying))).toBe('ok');
    expect(await clone('another', 'model', {}, dying)).toBe('ok');
    expect(await clonesOf('model', dying)).toEqual(['draft', 'another']);
    expect(await clonesOf('draft', dying)).toEqual([]);
  });

  it('keeps its place while its process is only slow', async () => {
    const gate = Promise.withResolvers<void>();
    const atGate = Promise.withResolvers<void>();
    const slow = await startRegistryWrite({
      instances: 2,
      wrapLog: (log) => ({
        ...log,
        readStream: (stream, options) => log.readStream(stream, options),
        append: async (stream, events, options) => {
          if (stream === agentStream('draft')) {
            atGate.resolve();
            await gate.promise;
          }
          return log.append(stream, events, options);
        },
      }),
    });
    onTestFinished(async () => {
      gate.resolve();
      await slow.stop();
    });
    await live('model', {}, slow);
    const late = clone('draft', 'model', {}, slow);
    await atGate.promise;
    expect(await clone('another', 'model', {}, slow)).toBe('already_paired');
    gate.resolve();
    expect(await late).toBe('ok');
    expect(await clonesOf('model', slow)).toEqual(['draft']);
  });
});
