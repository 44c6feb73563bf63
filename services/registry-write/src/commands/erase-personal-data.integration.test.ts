/*
 * Bugs: an erasure is acknowledged while a contact can still be opened; a contact is acknowledged and nobody can open it, because an erasure
 * destroyed its key during the write; a crash leaves an erasure half done forever.
 * Method: a real log and real keys, with an erasure, or half of one, at exactly the step of another command that it could spoil; and many of both
 * at once over several instances.
 */
import { randomUUID } from 'node:crypto';
import {
  agentStream,
  contactChanged,
  erasePersonalData,
  issueClaim,
  registerAgent,
  type RegistryEvent,
  updateAgent,
} from '@agent-trust/contracts';
import { type EventLog, EventLogUnavailableError } from '@agent-trust/event-log';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { issueInput, registerInput, updateInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry, type TestRegistryOptions } from '../testing/start-registry-write.ts';

const actor = { kind: 'admin', id: null } as const;
const contact = { contactInfo: 'ring twice', contactEmail: 'owner@agent.example' };
const nothing = { contactInfo: null, contactEmail: null };
const erase = (registry: TestRegistry, agentId: string) => registry.ask(erasePersonalData, { agentId, actor });
const register = (registry: TestRegistry, agentId: string) =>
  registry.ask(registerAgent, registerInput({ agentId, contact }));
const update = (registry: TestRegistry, agentId: string, contactInfo: string | null) =>
  registry.ask(updateAgent, updateInput({ agentId, contact: { contactInfo } }));
const erasures = async (registry: TestRegistry, agentId: string): Promise<RegistryEvent[]> =>
  (await registry.eventsOf(agentStream(agentId))).filter(({ type }) => type === 'PersonalDataErased');
const start = async (options: TestRegistryOptions): Promise<TestRegistry> => {
  const registry = await startRegistryWrite(options);
  onTestFinished(() => registry.stop());
  return registry;
};
/** The real log; `before` runs ahead of each append of one type of event. */
const beforeAppends =
  (type: RegistryEvent['type'], before: (stream: string) => Promise<void>) =>
  (log: EventLog): EventLog => ({
    ...log,
    readStream: (stream, options) => log.readStream(stream, options),
    append: async (stream, events, options) => {
      if (events.some((event) => event.type === type)) await before(stream);
      return log.append(stream, events, options);
    },
  });
const once = (work: () => Promise<unknown>): (() => Promise<void>) => {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
};

describe('an erasure', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistryWrite({ instances: 3 });
  });
  afterAll(() => registry.stop());

  it('leaves nothing of the contact, records that once, and returns the same when it is repeated', async () => {
    await register(registry, 'once');
    expect(await registry.contactOf('once')).toEqual(contact);
    const first = await erase(registry, 'once');
    expect(first.erasedAt).toEqual(expect.any(String));
    expect(await registry.contactOf('once')).toEqual(nothing);
    expect(await erase(registry, 'once')).toEqual(first);
    expect(await erasures(registry, 'once')).toMatchObject([{ data: { keyIds: [expect.any(String)] } }]);
  });

  it('allows a new contact, under another key, which a later erasure destroys', async () => {
    await register(registry, 'again');
    await erase(registry, 'again');
    await update(registry, 'again', 'new number');
    expect(await registry.contactOf('again')).toEqual({ contactInfo: 'new number', contactEmail: null });
    await erase(registry, 'again');
    expect(await registry.contactOf('again')).toEqual(nothing);
    const keyIds = (await erasures(registry, 'again')).flatMap(({ data }) => ('keyIds' in data ? data.keyIds : []));
    expect(new Set(keyIds).size).toBe(2);
  });

  it('of an agent that never had a contact writes nothing', async () => {
    const credential = { kind: 'admin', verified: false } as const;
    await registry.ask(registerAgent, registerInput({ agentId: 'silent', credential, contact: nothing }));
    expect((await erase(registry, 'silent')).erasedAt).toBeNull();
    expect(await erasures(registry, 'silent')).toEqual([]);
  });

  it('of an unregistered agent is refused, and destroys nothing', async () => {
    await registry.contactKeys.current('nobody');
    expect(await registry.outcomeOf(erase(registry, 'nobody'))).toBe('agent_not_found');
    expect(await registry.contactKeys.destroy('nobody')).toHaveLength(1);
  });

  it('twenty at once destroy one key and record it once', async () => {
    await register(registry, 'at once');
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(registry, 'at once')));
    expect(new Set(answers.map(({ erasedAt }) => erasedAt)).size).toBe(1);
    expect(await erasures(registry, 'at once')).toHaveLength(1);
    expect(await registry.contactOf('at once')).toEqual(nothing);
  });

  it('concurrent with updates leaves no contact that nobody can open, and the last command takes effect', async () => {
    await register(registry, 'busy');
    const work = Array.from({ length: 30 }, (_, n) =>
      n % 5 === 4 ? erase(registry, 'busy') : update(registry, 'busy', `number ${n}`),
    );
    const outcomes = await Promise.all(work.map((answer) => registry.outcomeOf(answer)));
    expect(outcomes.filter((outcome) => !['ok', 'write_conflict'].includes(outcome))).toEqual([]);
    const last = (await registry.eventsOf(agentStream('busy'))).findLast(
      ({ type }) => type === contactChanged.type || type === 'PersonalDataErased',
    );
    const { contactInfo } = (await registry.contactOf('busy')) ?? nothing;
    expect(last?.type === 'ContactChanged' && contactInfo === null).toBe(false);
    await erase(registry, 'busy');
    expect(await registry.contactOf('busy')).toEqual(nothing);
    await update(registry, 'busy', 'after it all');
    expect(await registry.contactOf('busy')).toMatchObject({ contactInfo: 'after it all' });
  });

  it('ends claim links by mail, because there is no address any more', async () => {
    await register(registry, 'mailed');
    expect(await registry.ask(issueClaim, issueInput({ agentId: 'mailed' }))).toMatchObject({
      contactEmail: contact.contactEmail,
    });
    await erase(registry, 'mailed');
    const asked = registry.ask(issueClaim, issueInput({ agentId: 'mailed' }));
    expect(await registry.outcomeOf(asked)).toBe('contact_email_missing');
  });
});

describe('an erasure that crashes between its key and its event', () => {
  it('leaves a contact that nobody can open, and the next erasure completes it', async () => {
    let fails = true;
    const registry = await start({
      instances: 1,
      wrapLog: beforeAppends('PersonalDataErased', async () => {
        if (fails) throw new EventLogUnavailableError('died');
      }),
    });
    await register(registry, 'a');
    expect(await registry.outcomeOf(erase(registry, 'a'))).toBe('unavailable');
    expect(await erasures(registry, 'a')).toEqual([]);
    expect(await registry.contactOf('a')).toEqual(nothing);
    expect(await registry.outcomeOf(registry.ask(issueClaim, issueInput({ agentId: 'a' })))).toBe(
      'contact_email_missing',
    );
    fails = false;
    expect((await erase(registry, 'a')).erasedAt).toEqual(expect.any(String));
    expect(await erasures(registry, 'a')).toMatchObject([{ data: { keyIds: [expect.any(String)] } }]);
  });
});

describe('a contact written while its key is destroyed', () => {
  it.each<[string, (registry: TestRegistry) => Promise<unknown>]>([
    ['by a whole erasure', (registry) => erase(registry, 'a')],
    ['by one that dies after the key', (registry) => registry.contactKeys.destroy('a')],
  ])('%s is written again with another key, and is readable when it is acknowledged', async (_, spoil) => {
    const registry: TestRegistry = await start({
      instances: 2,
      wrapLog: (log) =>
        beforeAppends(
          'ContactChanged',
          once(() => spoil(registry)),
        )(log),
    });
    await register(registry, 'a');
    const answer = await update(registry, 'a', 'new number');
    expect(await registry.contactOf('a')).toMatchObject({ contactInfo: 'new number' });
    const last = (await registry.recordedIn(agentStream('a'))).at(-1);
    expect(answer).toMatchObject({ position: String(last?.position) });
    await erase(registry, 'a');
    expect(await registry.contactOf('a')).toEqual(nothing);
  });

  it('by a registration is, too, even if the registration is repeated after a crash', async () => {
    let dies = false;
    const registry: TestRegistry = await start({
      instances: 1,
      wrapLog: (log) =>
        beforeAppends(
          'AgentRegistered',
          once(() => registry.contactKeys.destroy('a')),
        )(log),
      wrapKeys: (keys) => ({
        ...keys,
        standing: async (keyIds) => {
          if (dies) throw new EventLogUnavailableError('died');
          return keys.standing(keyIds);
        },
      }),
    });
    dies = true;
    const input = registerInput({ agentId: 'a', contact, commandId: randomUUID() });
    expect(await registry.outcomeOf(registry.ask(registerAgent, input))).toBe('unavailable');
    expect(await registry.contactOf('a')).toEqual(nothing);
    dies = false;
    expect(await registry.outcomeOf(registry.ask(registerAgent, input))).toBe('ok');
    expect(await registry.contactOf('a')).toEqual(contact);
  });

  it('is erased if the erasure follows it', async () => {
    const registry: TestRegistry = await start({
      instances: 2,
      wrapKeys: (keys) => {
        const eraseFirst = once(() => erase(registry, 'a'));
        return {
          ...keys,
          standing: async (keyIds) => {
            const { length } = await registry.eventsOf(agentStream('a'));
            if (length === 3) await eraseFirst();
            return keys.standing(keyIds);
          },
        };
      },
    });
    await register(registry, 'a');
    expect(await registry.outcomeOf(update(registry, 'a', 'new number'))).toBe('ok');
    expect(await registry.contactOf('a')).toEqual(nothing);
    expect(await erasures(registry, 'a')).toHaveLength(1);
  });
});
