import {
  capabilityAliasStream,
  type CapabilityAliasEvent,
  type CapabilityDefined,
  orgDomainStream,
  type OrgDomainEvent,
  production,
  type Universe,
} from '@agent-trust/contracts';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, replayReadModel, type Runner, startRunner } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentEvent, taxonomyEvent } from '../../../testing/made-changes.ts';
import { agentConfigurationOf, agentRegistered, appendHistory, type MadeEvent } from '../../../testing/made-history.ts';
import { registryReadModel } from '../registry-read-model.ts';
import { readModelSchema } from '../../../shared/database.ts';

let database: TestDatabase;
let log: EventLog;
let client: pg.Client;
let runner: Runner;

const at = '2026-01-01T00:00:00.000Z';
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };

const define = (fields: Partial<CapabilityDefined['data']> = {}): MadeEvent =>
  taxonomyEvent('CapabilityDefined', {
    name: 'web_search',
    category: 'research',
    description: 'Searches the web.',
    aliases: ['internet_search', 'online_search'],
    phrases: ['Look this up for me'],
    definedAt: at,
    ...fields,
  });
const retire = (name: string): MadeEvent => taxonomyEvent('CapabilityRetired', { name, retiredAt: at });
const register = (agentId: string, names: string[], universe?: Universe): MadeEvent =>
  agentRegistered(
    {
      agentId,
      ...(universe === undefined ? {} : { universe }),
      orgId: 'acme',
      configuration: { capabilities: names.map((name) => ({ name, weight: 1 })) },
    },
    at,
  );
const answer = (submitted: string, candidate: string, accepted: boolean, universe: Universe = sandbox): MadeEvent =>
  agentEvent('CapabilityConfirmationAnswered', {
    agentId: 'bot',
    universe,
    submitted,
    candidate,
    accepted,
    answeredAt: at,
  });

/** Confirmed by agents of three organisations, in production. */
const agreed = (submitted: string, candidate: string): MadeEvent[] =>
  ['one', 'two', 'three'].flatMap((orgId) => {
    const agentId = `${orgId}-says-${submitted}`;
    return [agentRegistered({ agentId, orgId }, at), answerOf(agentId, submitted, candidate)];
  });
const answerOf = (agentId: string, submitted: string, candidate: string, accepted = true): MadeEvent =>
  agentEvent('CapabilityConfirmationAnswered', {
    agentId,
    universe: production,
    submitted,
    candidate,
    accepted,
    answeredAt: at,
  });

/** Appends events one after the other, because these tests depend on their order. */
const record = async (...events: MadeEvent[]): Promise<void> => {
  let last = 0n;
  for (const event of events) last = await appendHistory(log, [event]);
  await waitFor(() => (runner.status().position ?? -1n) >= last, { description: 'the end of the log' });
};
const rows = async (text: string, ...values: unknown[]): Promise<unknown[]> =>
  (await client.query({ text, values, rowMode: 'array' })).rows as unknown[];
const labelsOf = (...names: string[]): Promise<unknown[]> =>
  rows('SELECT label, name FROM capability_label WHERE name = ANY ($1) ORDER BY 1, 2', names);
const learned = (...names: string[]): Promise<unknown[]> =>
  rows('SELECT name, universe FROM learned_capability WHERE name = ANY ($1) ORDER BY 1, 2', names);

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  const connection = { connectionString: database.url };
  const readModel = await registryReadModel();
  const session = await openWriterSession(connection, readModelSchema);
  await createSchema(session, readModelSchema, readModel.schema);
  await session.end();
  client = new pg.Client({ ...connection, options: `-c search_path=${readModelSchema}` });
  await client.connect();
  runner = startRunner({ connection, schema: readModelSchema, log, readModel });
});
afterAll(async () => {
  await client.end();
  await log.close();
  await database.drop();
});

describe('the seed taxonomy', () => {
  it('equals its newest definitions, without remains of former ones', async () => {
    await record(define(), define({ aliases: ['online_search', 'web_lookup'], phrases: ['Google it'] }));
    expect(await rows(`SELECT aliases, phrases FROM capability WHERE name = 'web_search'`)).toEqual([
      [['online_search', 'web_lookup'], ['Google it']],
    ]);
    expect(await labelsOf('web_search')).toEqual([
      ['online_search', 'web_search'],
      ['web_lookup', 'web_search'],
      ['web_search', 'web_search'],
    ]);
  });

  it('forgets a retired capability, and only that one', async () => {
    const texts = { description: 'Plays.', phrases: ['Hum'] };
    await record(
      define({ name: 'tune_finding', aliases: ['melody_finding'], ...texts }),
      define({ name: 'tune_mixing', aliases: ['beat_mixing'], ...texts }),
      retire('tune_finding'),
    );
    expect(await labelsOf('tune_finding', 'tune_mixing')).toEqual([
      ['beat_mixing', 'tune_mixing'],
      ['tune_mixing', 'tune_mixing'],
    ]);
  });

  // Bug: an alias that moves is lost if the new capability is defined before the former one gives it up.
  it('keeps an alias that moves to another capability, in either order of the two definitions', async () => {
    await record(
      define({ name: 'map_search', aliases: ['atlas', 'place_lookup'] }),
      define({ name: 'map_drawing', aliases: ['atlas', 'cartography'] }),
      define({ name: 'map_search', aliases: ['place_lookup', 'gazetteer'] }),
    );
    expect(await rows(`SELECT name FROM capability_label WHERE label = 'atlas'`)).toEqual([['map_drawing']]);
  });
});

describe('the taxonomy learns', () => {
  it("each agent's names, in the agent's universe", async () => {
    await record(register('one', ['bee_keeping', 'honey']), register('draft-one', ['wax'], sandbox));
    expect(await learned('bee_keeping', 'honey', 'wax')).toEqual([
      ['bee_keeping', 'production'],
      ['honey', 'production'],
      ['wax', 'sandbox:acme'],
    ]);
  });

  it('names that an agent gets later, by update, pull or promotion; a dropped name stays known', async () => {
    const given = (name: string) => ({
      configuration: agentConfigurationOf({ capabilities: [{ name, weight: 1 }] }),
      changedFields: ['capabilities' as const],
    });
    const pair = { agentId: 'draft-two', fromAgentId: 'two' };
    await record(
      register('two', ['saddle']),
      register('draft-two', [], sandbox),
      agentEvent('ConfigurationChanged', { agentId: 'two', ...given('bridle'), changedAt: at }),
      agentEvent('ConfigurationPulled', { ...pair, ...given('spur'), pulledAt: at }),
      agentEvent('ConfigurationPromoted', {
        agentId: 'two',
        fromAgentId: 'draft-two',
        ...given('reins'),
        promotedAt: at,
      }),
    );
    expect(await learned('saddle', 'bridle', 'spur', 'reins')).toEqual([
      ['bridle', 'production'],
      ['reins', 'production'],
      ['saddle', 'production'],
      ['spur', 'sandbox:acme'],
    ]);
  });

  it("a sandbox agent's names in production when it is published, and keeps them when it is withdrawn", async () => {
    const moved = { agentId: 'draft-three', orgId: 'acme' };
    const both = [
      ['anvil', 'production'],
      ['anvil', 'sandbox:acme'],
    ];
    await record(register('draft-three', ['anvil'], sandbox));
    expect(await learned('anvil')).toEqual(both.slice(1));
    await record(agentEvent('AgentPublished', { ...moved, publishedAt: at }));
    expect(await learned('anvil')).toEqual(both);
    await record(agentEvent('AgentWithdrawn', { ...moved, withdrawnAt: at }));
    expect(await learned('anvil')).toEqual(both);
  });

  it('an alias by its first confirmation, and not by a refusal', async () => {
    await record(
      register('bot', []),
      answer('googling', 'web_search', false),
      answer('googling', 'web_search', true),
      answer('googling', 'map_search', true),
      ...agreed('googling', 'map_search'),
    );
    expect(await rows('SELECT alias, universe, name FROM learned_alias ORDER BY 1, 2')).toEqual([
      ['googling', 'production', 'map_search'],
      ['googling', 'sandbox:acme', 'web_search'],
    ]);
  });
});

describe('the meaning of a name', () => {
  const aliases = (...names: string[]): Promise<unknown[]> =>
    rows('SELECT alias, universe, name FROM learned_alias WHERE alias = ANY ($1) ORDER BY 1, 2', names);

  it('stays canonical if an agent has it, however late an answer is', async () => {
    await record(
      register('with-name', ['thatching']),
      register('draft-with-name', ['glazing'], sandbox),
      ...['thatching', 'glazing'].flatMap((name) => [...agreed(name, 'web_search'), answer(name, 'web_search', true)]),
    );
    // Production does not know what a sandbox has learned.
    expect(await aliases('thatching', 'glazing')).toEqual([['glazing', 'production', 'web_search']]);
  });

  it("is production's alias in sandboxes, too", async () => {
    await record(...agreed('tiling', 'web_search'), answer('tiling', 'map_search', true, sandbox));
    expect(await aliases('tiling')).toEqual([['tiling', 'production', 'web_search']]);
  });
});

/*
 * Bug: somebody without an organisation, or with one that nobody knows, decides what a name means for everybody.
 */
describe('an alias in production', () => {
  const known = (alias: string): Promise<unknown[]> =>
    rows(`SELECT name FROM learned_alias WHERE universe = 'production' AND alias = $1`, alias);
  const member = (agentId: string, orgId: string | null): MadeEvent => agentRegistered({ agentId, orgId }, at);
  const judged = (event: CapabilityAliasEvent): MadeEvent => ({
    stream: capabilityAliasStream(event.data.alias),
    event,
  });
  const confirmed = (alias: string, name: string): MadeEvent =>
    judged({ type: 'CapabilityAliasConfirmed', data: { alias, name, reason: 'usual', confirmedAt: at } });
  const undone = (alias: string): MadeEvent =>
    judged({ type: 'CapabilityAliasUndone', data: { alias, reason: 'misleading', undoneAt: at } });
  const about = { domain: 'proven.example', orgId: 'proven' };
  const proof = (event: OrgDomainEvent): MadeEvent => ({ stream: orgDomainStream(about.domain), event });
  const proved = proof({
    type: 'OrgDomainVouchedFor',
    data: { ...about, reason: 'known', agentIds: [], vouchedAt: at },
  });
  const ended = proof({
    type: 'OrgDomainProofEnded',
    data: { ...about, cause: 'withdrawn', reason: 'sold', agentIds: [], endedAt: at },
  });

  beforeAll(() =>
    record(
      ...[null, null, null].map((orgId, n) => member(`alone-${n}`, orgId)),
      ...['x', 'x', 'y', 'z', 'proven'].map((orgId, n) => member(`m${n}-of-${orgId}`, orgId)),
    ),
  );

  it('is not made by agents without an organisation, however many', async () => {
    await record(...[0, 1, 2].map((n) => answerOf(`alone-${n}`, 'peeking', 'web_search')));
    expect(await known('peeking')).toEqual([]);
  });

  it('is made by the third organisation that means the same, whatever others say', async () => {
    await record(
      answerOf('m0-of-x', 'probing', 'web_search'),
      answerOf('m1-of-x', 'probing', 'web_search'),
      answerOf('m2-of-y', 'probing', 'web_search'),
      answerOf('m3-of-z', 'probing', 'map_search'),
      answerOf('m3-of-z', 'probing', 'web_search', false),
    );
    expect(await known('probing')).toEqual([]);
    await record(answerOf('m3-of-z', 'probing', 'web_search'));
    expect(await known('probing')).toEqual([['web_search']]);
  });

  it('is made by one organisation while it has a proved domain', async () => {
    await record(answerOf('m4-of-proven', 'sleuthing', 'web_search'));
    expect(await known('sleuthing')).toEqual([]);
    await record(proved, answerOf('m4-of-proven', 'sleuthing', 'web_search'));
    expect(await known('sleuthing')).toEqual([['web_search']]);
    await record(ended, answerOf('m4-of-proven', 'snooping', 'web_search'));
    expect(await known('snooping')).toEqual([]);
  });

  it('is made and undone by the operator, and then not learned again', async () => {
    await record(confirmed('nosing', 'web_search'));
    expect(await known('nosing')).toEqual([['web_search']]);
    await record(
      undone('nosing'),
      proved,
      answerOf('m4-of-proven', 'nosing', 'web_search'),
      ...agreed('nosing', 'map_search'),
    );
    expect(await known('nosing')).toEqual([]);
    await record(confirmed('nosing', 'map_search'));
    expect(await known('nosing')).toEqual([['map_search']]);
  });
});

it.each([1, 1_000])('replays to the same rows in batches of %i', async (batchEventsMax) => {
  await runner.stop();
  const connection = { connectionString: database.url };
  const readModel = await registryReadModel();
  const report = await replayReadModel({ connection, schema: readModelSchema, log, readModel, batchEventsMax });
  expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0, differences: [] } });
});
