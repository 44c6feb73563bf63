/**
 * Bugs: the leader answers from memory although readers see more than it knows of; a process that may lead no more does; a successor does not
 * wait for it.
 */
import { encodeMessage, replicaSubjects } from '@agent-trust/edge-replica';
import type { Rpc } from '@agent-trust/nats-rpc';
import { createLogger } from '@agent-trust/service-kit';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { replicaGate } from './lead-replicas.ts';
import { hadMembers, migrateLeadership } from './leadership-rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrateLeadership(database.url);
});
afterAll(() => database.drop());

type Callback = (error: null, message: { string: () => string; subject: string; reply: string }) => void;

/** A gate on a bus with one member, which sends only what the test sends. */
const startGate = () => {
  const hear: Callback[] = [];
  const sent: string[] = [];
  const subject = replicaSubjects.leader('gateway');
  const connection = {
    subscribe: (_: string, { callback }: { callback: Callback }) => {
      hear.push(callback);
      return { unsubscribe: () => undefined };
    },
    publish: (_: string, text: string) => void sent.push(text),
  } as unknown as Rpc['connection'];
  const logger = createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' });
  const gate = replicaGate({ connection, log: { headPosition: async () => 7n }, logger });
  const say = (
    message: Parameters<typeof encodeMessage>[0],
    reply: string = replicaSubjects.answersTo('gateway', 'one'),
  ): void => {
    for (const callback of hear) callback(null, { string: () => encodeMessage(message), subject, reply });
  };
  return { gate, say, sent };
};

const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

/** Leads, with one member. */
const lead = async () => {
  const { gate, say, sent } = startGate();
  const client = await connected();
  const leading = await gate.lead(client, 7n);
  const states = [gate.visibleState()];
  await waitFor(() => {
    say({ kind: 'join', incarnation: 'one', scope: 'rare' });
    return sent.some((text) => text.includes('granted'));
  });
  return { gate, say, client, leading, states };
};

it('is known while this process leads, and a successor would wait for it', async () => {
  const { gate, leading, states } = await lead();
  expect(states).toEqual([null]);
  expect(gate.visibleState()).toMatch(/:7$/u);
  expect(await hadMembers(await connected())).toBe(true);
  await leading.end(false);
  expect(gate.visibleState()).toBeNull();
});

it('is not known from the moment at which a commit may be visible until it is known to be', async () => {
  const { gate, say, leading } = await lead();
  const before = gate.visibleState();
  const epoch = Number(before?.split(':')[0]);
  leading.announce({ position: 8n, events: [], unknown: true, beside: [] });
  const may = leading.mayCommit(8n);
  // The member has not reported yet.
  expect(gate.visibleState()).toBe(before);
  for (const reply of [replicaSubjects.answersTo('gateway', 'two'), replicaSubjects.answersTo('call-proxy', 'one'), ''])
    say({ kind: 'applied', epoch, incarnation: 'one', position: 8n }, reply);
  expect(gate.visibleState()).toBe(before);
  say({ kind: 'applied', epoch, incarnation: 'one', position: 8n });
  expect(gate.visibleState()).toBeNull();
  await may;
  leading.hasCommitted(8n);
  expect(gate.visibleState()).toMatch(/:8$/u);
  await leading.mayCommit(9n);
  expect(gate.visibleState()).toBeNull();
  leading.hasCommitted(9n);
  expect(gate.visibleState()).toMatch(/:9$/u);
  await leading.end(false);
});

it('is not known during a handover, nor when the session with the lock is gone, and differs between two terms', async () => {
  const first = await lead();
  const state = first.gate.visibleState();
  const ending = first.leading.end(true);
  expect(first.gate.visibleState()).toBeNull();
  first.say({ kind: 'left', incarnation: 'one' });
  await ending;
  const second = await lead();
  expect(second.gate.visibleState()).toMatch(/:7$/u);
  expect(second.gate.visibleState()).not.toBe(state);
  await second.client.end();
  await waitFor(() => second.gate.visibleState() === null);
  await second.leading.end(false);
});
