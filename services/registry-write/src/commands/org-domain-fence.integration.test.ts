import { randomUUID } from 'node:crypto';
import { runs } from '@agent-trust/test-kit/runs';
import {
  agentStream,
  orgDomainStream,
  production,
  type RegistryEvent,
  type registerAgent as registering,
  type updateAgent as updating,
} from '@agent-trust/contracts';
import { agentDecider, fold, orgDomainReservationLeaseSeconds, type RegisteredAgent } from '@agent-trust/domain';
import { agentRegistered } from '@agent-trust/domain/testing';
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext, Received } from '@agent-trust/nats-rpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKnownStreams, type KnownStreams } from '../known-streams.ts';
import { beginCommand, type CommandDeps, readState } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';
import { hashOf, orgKeyOf, registerInput, updatedBy, updateInput } from '../testing/inputs.ts';
import { type SteppedLog, steppedLog } from '../testing/stepped-log.ts';
import { orgDomainProofCommands } from './org-domain-proofs.ts';
import { registerAgent } from './register-agent.ts';
import { ensureOrgDomainAvailable } from './reserve-org-domain.ts';
import { updateAgent } from './update-agent.ts';

/*
 * Bug class: two writers each find a domain free, and agents of two organisations hold it; or a writer dies and nobody can have the domain any
 * more; or an agent keeps a domain that another organisation has proved.
 * Method: the real commands, on a log in which each single read and append waits for its turn. fast-check takes the turns in any order, and lets
 * processes sleep through their leases or die between any two steps. After each append the rule is checked on the log; at the end every free
 * domain must be available.
 */
const domains = ['one.example', 'two.example'] as const;
const leaseMs = orgDomainReservationLeaseSeconds * 1000;
const startMs = Date.parse('2026-01-01T00:00:00.000Z');

/** Agents that exist from the start, by their organisation. */
const atStart = { a1: 'org-a', a2: 'org-a', b1: 'org-b', b2: 'org-b', c1: null, c2: null } as const;
type Agent = keyof typeof atStart;

type Action = { agentId: string; orgDomain: string | null } & (
  | { kind: 'register'; orgId: string | null }
  | { kind: 'update' | 'update by the admin' }
  | { kind: 'adopt'; orgId: string }
  | { kind: 'prove'; orgId: string }
);
const agent = fc.constantFrom(...(Object.keys(atStart) as Agent[]));
const orgDomain = fc.constantFrom(...domains, ...domains, null);
const orgId = fc.constantFrom('org-a', 'org-b');
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'update by the admin' as const),
      agentId: agent,
      orgDomain,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adopt' as const),
      agentId: fc.constantFrom('c1', 'c2'),
      orgDomain,
      orgId,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('prove' as const),
      agentId: fc.constant('nobody'),
      orgDomain: fc.constantFrom(...domains),
      orgId,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('register' as const),
      agentId: fc.constantFrom('r1', 'r2'),
      orgDomain: fc.constantFrom(...domains),
      orgId: fc.option(orgId, { nil: null }),
    }),
  },
);

/** Its processes take what they know of streams from one of two memories, so that it is right sometimes. */
type World = { log: SteppedLog; clock: { now: number }; known: KnownStreams[] };

const context: CallContext = {
  correlationId: 'test',
  actor: undefined,
  traceparent: undefined,
  requester: 'gateway',
  signal: new AbortController().signal,
  remainingMs: () => 10_000,
};

const nextOf = (known: KnownStreams[]): KnownStreams => {
  known.reverse();
  return known[0] as KnownStreams;
};

const depsOf = ({ log, clock, known }: World, step: () => Promise<void>): CommandDeps => ({
  log: log.through(step) as EventLog,
  rpc: { request: () => Promise.reject(new Error('nobody is asked')) },
  known: nextOf(known),
  seed: { resolve: () => null },
  // No agent here has a contact.
  contactKeys: {} as CommandDeps['contactKeys'],
  now: () => new Date(clock.now),
  newId: randomUUID,
  claimTtlSeconds: 0,
});

const actor = { kind: 'anonymous', id: null } as const;
const update = async (deps: CommandDeps, input: Partial<Received<(typeof updating)['input']>> & { agentId: string }) =>
  updateAgent(deps)({ ...updateInput(input), actor } as Received<(typeof updating)['input']>, context);

const run = async (deps: CommandDeps, one: Action): Promise<unknown> => {
  const { agentId, orgDomain: domain } = one;
  const admin = { agentId: null, organisation: null, admin: true };
  switch (one.kind) {
    case 'update': {
      const owner = atStart[agentId as Agent];
      const credentials = owner === null ? admin : updatedBy(owner);
      return update(deps, { agentId, orgDomain: domain, credentials });
    }
    case 'update by the admin':
      return update(deps, { agentId, orgDomain: domain, credentials: admin });
    case 'adopt':
      return update(deps, { agentId, orgDomain: domain, credentials: updatedBy(one.orgId, production, agentId) });
    case 'register': {
      const credential = one.orgId === null ? ({ kind: 'admin', verified: false } as const) : orgKeyOf(one.orgId);
      const contact = { contactInfo: null, contactEmail: null };
      const input = registerInput({ agentId, orgDomain: domain, credential, configuration: {}, contact });
      return registerAgent(deps)(input as Received<(typeof registering)['input']>, context);
    }
    case 'prove': {
      const { orgId: prover } = one;
      const of = { orgId: prover, domain: domain as string, actor };
      const found = { method: 'dns', foundAt: domain as string, tokenHash: hashOf(prover) } as const;
      await orgDomainProofCommands(deps).requestDomainProof({ ...of, tokenHash: hashOf(prover) }, context);
      return orgDomainProofCommands(deps).proveDomain({ ...of, found, outdated: null }, context);
    }
    default:
      return one satisfies never;
  }
};

const registeredAgents = ({ log }: World): RegisteredAgent[] => {
  const streams = new Set(log.recorded.map(({ stream }) => stream).filter((stream) => stream.startsWith('agent-')));
  return [...streams].flatMap((stream) => {
    const events = log.recorded
      .filter((event) => event.stream === stream)
      .map((event) => agentStreams.registry.decodeKnown(event));
    const state = fold(agentDecider, events);
    return state.kind === 'registered' ? [state] : [];
  });
};
const holdersOf = (world: World, domain: string): RegisteredAgent[] =>
  registeredAgents(world).filter((one) => one.orgDomain === domain);

const expectNoUnrelatedTogether = (world: World): void => {
  for (const domain of domains) {
    const holders = holdersOf(world, domain);
    const together = new Set(holders.map((one) => one.orgId ?? `nobody's ${one.agentId}`));
    if (together.size > 1) throw new Error(`${domain} is held by ${[...together].join(' and ')}`);
  }
};

const write = async (world: World, stream: string, event: RegistryEvent): Promise<void> => {
  const { type, data, schemaVersion } = agentStreams.registry.encode(event as never);
  const at = world.log.through(() => Promise.resolve());
  await at.append(stream, [{ eventId: randomUUID(), type, data, metadata: { schemaVersion } }], {
    expectedRevision: 'any',
  });
};

const startedWorld = async (): Promise<World> => {
  const world: World = {
    log: steppedLog(),
    clock: { now: startMs },
    known: [createKnownStreams(), createKnownStreams()],
  };
  for (const [agentId, owner] of Object.entries(atStart)) {
    const orgName = owner === null ? null : `name of ${owner}`;
    await write(world, agentStream(agentId), agentRegistered({ agentId, orgId: owner, orgName }));
  }
  world.log.onAppended(() => expectNoUnrelatedTogether(world));
  return world;
};

/** Where a process stops for good, or sleeps: until the second wave starts, or until all others are done. */
type Stop = { after: number; how: 'dies' | 'sleeps' | 'sleeps long' };
type Process = { action: Action; stop: Stop | null };

/**
 * Takes the turns of a first wave of processes; then a lease expires, and a second wave meets the processes that slept. A dead process makes no
 * further steps. Returns the refusals.
 */
const play = async (
  world: World,
  scheduler: fc.Scheduler,
  waves: readonly (readonly Process[])[],
): Promise<unknown[]> => {
  const faults: unknown[] = [];
  const wakes = { sleeps: Promise.withResolvers<void>(), 'sleeps long': Promise.withResolvers<void>() };
  const start = ({ action: one, stop }: Process) => {
    const asleep = Promise.withResolvers<void>();
    let steps = 0;
    const step = async (): Promise<void> => {
      steps += 1;
      if (stop !== null && steps > stop.after && stop.how === 'dies') throw new Error('died');
      if (stop !== null && steps === stop.after + 1 && stop.how !== 'dies') {
        asleep.resolve();
        await wakes[stop.how].promise;
      }
      await scheduler.schedule(Promise.resolve(), `${one.kind} ${one.agentId} ${one.orgDomain}`);
    };
    const done = run(depsOf(world, step), one).then(
      () => undefined,
      (error: unknown) => void faults.push(error),
    );
    return { done, rests: Promise.race([done, asleep.promise]) };
  };
  const running: { done: Promise<void>; rests: Promise<void> }[] = [];
  for (const wave of waves) {
    running.push(...wave.map(start));
    await scheduler.waitFor(Promise.all(running.map(({ rests }) => rests)));
    world.clock.now += leaseMs;
    wakes.sleeps.resolve();
  }
  wakes['sleeps long'].resolve();
  await scheduler.waitFor(Promise.all(running.map(({ done }) => done)));
  return faults;
};

const proofOf = async (world: World, domain: string) =>
  (await readState(depsOf(world, () => Promise.resolve()).log, orgDomainStreams, orgDomainStream(domain))).proof;

/** What a process that died left undone is done by the next look at the proof. */
const expectProofsPrevail = async (world: World): Promise<void> => {
  for (const domain of domains) {
    const proof = await proofOf(world, domain);
    if (proof === null) continue;
    const deps = depsOf(world, () => Promise.resolve());
    const look = { orgId: proof.orgId, domain, isChecked: false, method: null, actor };
    await orgDomainProofCommands(deps).recordDomainCheck(look, context);
    for (const holder of holdersOf(world, domain)) expect([domain, holder.orgId]).toEqual([domain, proof.orgId]);
  }
};

const expectNothingLocked = async (world: World): Promise<void> => {
  world.clock.now += leaseMs;
  for (const [index, domain] of domains.entries()) {
    const agentId = `newcomer-${index}`;
    await write(world, agentStream(agentId), agentRegistered({ agentId, orgId: 'org-z', orgName: 'name of org-z' }));
    const isFree = holdersOf(world, domain).length === 0 && (await proofOf(world, domain)) === null;
    const outcome = await update(
      depsOf(world, () => Promise.resolve()),
      {
        agentId,
        orgDomain: domain,
        credentials: updatedBy('org-z'),
      },
    ).then(
      () => 'ok',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
    expect([domain, outcome]).toEqual([domain, isFree ? 'ok' : 'org_domain_taken']);
  }
};

describe('a domain that many agents request', () => {
  const expected = new Set(['org_domain_taken', 'not_owner', 'agent_id_taken', 'domain_proved_by_other']);
  const isExpected = (fault: unknown): boolean =>
    (fault instanceof Error && fault.message === 'died') || expected.has((fault as { code?: string }).code ?? '');

  it('is never held by two organisations, and never locked', { timeout: runs(120_000, 1_200_000) }, async () => {
    const stop = fc.record({ after: fc.nat(12), how: fc.constantFrom('dies', 'sleeps', 'sleeps long') });
    const wave = fc.array(fc.record({ action, stop: fc.option(stop, { nil: null }) }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.tuple(wave, wave), async (scheduler, waves) => {
        const world = await startedWorld();
        const faults = await play(world, scheduler, waves);
        expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
        await expectProofsPrevail(world);
        await expectNothingLocked(world);
      }),
      { numRuns: runs(500, 2_000) },
    );
  });
});

/*
 * Bug: a repeated registration continues with its earlier reservation although agents of its organisation have the domain by now.
 * Method: a registration dies before its last append; then another agent joins its organisation's domain, and the registration is repeated.
 */
describe('a repeated registration', () => {
  const domain = 'one.example';
  const atOnce = (world: World): CommandDeps => depsOf(world, () => Promise.resolve());
  const registration: Action = { kind: 'register', agentId: 'r1', orgDomain: domain, orgId: 'org-a' };
  /** A process that dies after its first append, which is the reservation. */
  const dyingOnceReserved = (world: World): CommandDeps => {
    const before = world.log.recorded.length;
    const step = () => (world.log.recorded.length > before ? Promise.reject(new Error('died')) : Promise.resolve());
    return depsOf(world, step);
  };

  const diedRegistering = async (): Promise<World> => {
    const world = await startedWorld();
    await expect(run(dyingOnceReserved(world), registration)).rejects.toThrow('died');
    expect(holdersOf(world, domain)).toEqual([]);
    return world;
  };
  const asked = (world: World): Promise<void> => {
    const deps = atOnce(world);
    const request = { domain, agentId: 'r1', orgId: 'org-a', mayShare: false, voidRevision: null };
    return ensureOrgDomainAvailable(deps, beginCommand(deps, actor, context), request);
  };

  it('is refused a domain that another agent of its organisation has joined since, even before a question', async () => {
    const world = await diedRegistering();
    await run(atOnce(world), { kind: 'update', agentId: 'a1', orgDomain: domain });
    await expect(asked(world)).rejects.toMatchObject({ code: 'org_domain_taken' });
    await expect(run(atOnce(world), registration)).rejects.toMatchObject({ code: 'org_domain_taken' });
    expect(holdersOf(world, domain).map(({ agentId }) => agentId)).toEqual(['a1']);
  });

  it('gets it if no agent joined, or the joining one has left again', async () => {
    const alone = await diedRegistering();
    const left = await diedRegistering();
    await run(atOnce(left), { kind: 'update', agentId: 'a1', orgDomain: domain });
    await run(atOnce(left), { kind: 'update', agentId: 'a1', orgDomain: null });
    for (const world of [alone, left]) {
      await asked(world);
      await run(atOnce(world), registration);
      expect(holdersOf(world, domain).map(({ agentId }) => agentId)).toEqual(['r1']);
    }
  });

  it('gets it if the joining update never finished', async () => {
    const world = await diedRegistering();
    const joining: Action = { kind: 'update', agentId: 'a1', orgDomain: domain };
    await expect(run(dyingOnceReserved(world), joining)).rejects.toThrow('died');
    await expect(run(atOnce(world), registration)).rejects.toMatchObject({ code: 'org_domain_taken' });
    world.clock.now += leaseMs;
    await asked(world);
    await run(atOnce(world), registration);
    expect(holdersOf(world, domain).map(({ agentId }) => agentId)).toEqual(['r1']);
  });
});
