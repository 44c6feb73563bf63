import { getActivity, limits, type Universe } from '@agent-trust/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  organisationCreated,
  production,
} from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';
import { openReadModelDatabase } from '../shared/database.ts';
import { activityStatement, findActivity } from './find-activity.ts';

let fixture: ServiceFixture;
const ask = { timeoutMs: 5_000 };
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** A call with its review; the receiver's score follows the review. */
const reviewed = (
  transactionId: string,
  receiverAgentId: string,
  success: boolean,
  universe: Universe = production,
) => {
  const call = { transactionId, callerAgentId: universe === production ? 'rater' : 'draft', receiverAgentId, universe };
  return [
    exchangeStarted(call, ago(3)),
    exchangeCompleted(call, ago(2)),
    exchangeReviewed(call, ago(1), {
      success,
      score: success ? 10 : 1,
      trustScore: 90,
      orgDomain: 'other.example',
      roots: { 'other.example': 1 },
    }),
  ];
};

beforeAll(async () => {
  fixture = await createServiceFixture();
  const position = await fixture.record(
    organisationCreated('acme', ago(60)),
    organisationCreated('other', ago(60)),
    agentRegistered(
      { agentId: 'rater', orgId: 'other', verified: true, configuration: { endpointUrl: null } },
      ago(50),
    ),
    agentRegistered({ agentId: 'good', orgId: 'acme', verified: true }, ago(40)),
    agentRegistered({ agentId: 'bad', orgId: 'acme', verified: true }, ago(30)),
    agentRegistered({ agentId: 'idle', orgId: 'acme', verified: true }, ago(20)),
    agentRegistered({ agentId: 'draft', orgId: 'acme', universe: sandbox }, ago(10)),
    agentRegistered({ agentId: 'draft-2', orgId: 'acme', universe: sandbox }, ago(10)),
    ...reviewed('t1', 'good', true),
    ...reviewed('t2', 'good', true),
    ...reviewed('t3', 'bad', false),
    ...reviewed('t4', 'draft-2', true, sandbox),
  );
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

describe('the activity', () => {
  it('is of production: newest agents, movers both ways, and what happened by day', async () => {
    const found = await fixture.gateway.request(getActivity, { days: 7 }, ask);
    expect(found.newest.map(({ agentId }) => agentId)).toEqual(['idle', 'bad', 'good']);
    expect(found.newest[2]).toMatchObject({ agentId: 'good', orgName: 'Organisation acme' });
    const [rising, falling] = [found.rising[0], found.falling[0]];
    expect([found.rising.length, rising?.agentId, rising?.previousScore]).toEqual([1, 'good', 75]);
    expect(rising?.trustScore).toBeGreaterThan(75);
    expect(rising?.trustScore).toBe(found.newest[2]?.trustScore);
    expect([found.falling.length, falling?.agentId, falling?.previousScore]).toEqual([1, 'bad', 75]);
    expect(falling?.trustScore).toBeLessThan(75);
    expect(found.moversSince).toBe(found.since);
    expect(found.days).toHaveLength(7);
    const sum = (count: 'registrations' | 'calls' | 'reviews') =>
      found.days.reduce((total, day) => total + day[count], 0);
    expect([sum('registrations'), sum('calls'), sum('reviews')]).toEqual([4, 3, 3]);
    expect(found.days.at(-1)?.day).toBe(found.at.slice(0, 10));
    expect(found.days[0]?.day).toBe(found.since.slice(0, 10));
    expect(JSON.stringify(found)).not.toMatch(/draft|agent\.test|rater/u);
  });

  it('is the same for everybody for a while', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => fixture.gateway.request(getActivity, { days: 3 }, ask)));
    expect(second).toEqual(first);
    expect(first?.days).toHaveLength(3);
  });

  it('does not look behind its first day', async () => {
    const database = openReadModelDatabase(fixture.url);
    const inAWeek = new Date(Date.now() + 7 * 86_400_000);
    const later = await findActivity(database, 2, inAWeek);
    await database.close();
    expect([later.rising, later.falling]).toEqual([[], []]);
    expect(later.days).toEqual([
      {
        day: new Date(inAWeek.getTime() - 86_400_000).toISOString().slice(0, 10),
        registrations: 0,
        calls: 0,
        reviews: 0,
      },
      { day: inAWeek.toISOString().slice(0, 10), registrations: 0, calls: 0, reviews: 0 },
    ]);
  });
});

// Bug: reading the page reads a whole table, which nobody notices in a small registry.
describe('with 100,000 agents and many changes', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: fixture.url, options: '-c search_path=read_models' });
    await client.connect();
    const copies = `FROM agent CROSS JOIN generate_series(1, 100000) n WHERE agent_id = 'good'`;
    const columnsOf = async (table: string, changed: Record<string, string>): Promise<string> => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'read_models' AND table_name = $1 ORDER BY ordinal_position`,
        [table],
      );
      return rows.map(({ name }) => changed[name] ?? name).join(', ');
    };
    const id = `'many-' || n`;
    await client.query(
      `INSERT INTO agent SELECT ${await columnsOf('agent', { agent_id: id, registered_at: `registered_at - n * interval '1 second'` })} ${copies}`,
    );
    await client.query(
      `INSERT INTO agent_standing SELECT ${await columnsOf('agent_standing', { agent_id: id })} ${copies.replace('FROM agent', 'FROM agent_standing')}`,
    );
    await client.query(
      `INSERT INTO trust_history SELECT ${await columnsOf('trust_history', { agent_id: id, position: 'position + n * 1000', previous_score: '75', trust_score: '70 + n % 5' })}
       FROM trust_history CROSS JOIN generate_series(1, 100000) n WHERE agent_id = 'good' AND transaction_id = 't1'`,
    );
    await client.query('ANALYZE');
  }, 60_000);
  afterAll(() => client.end());

  it('reads by index alone, and no more changes than the limit', async () => {
    const { text, values } = activityStatement(new Date(Date.now() - 7 * 86_400_000));
    // As the service's connections have it.
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON, ANALYZE) ${text}`, values);
    const plan = JSON.stringify(rows);
    const scanned = [...plan.matchAll(/"Node Type":"Seq Scan"[^}]*?"Relation Name":"(\w+)"/gu)].map(
      ([, table]) => table,
    );
    expect(scanned.filter((table) => table !== 'daily_activity')).toEqual([]);
    expect(plan).toContain('"Index Name":"agent_newest"');
    expect(plan).toContain('"Index Name":"trust_history_by_position"');
    const database = openReadModelDatabase(fixture.url);
    const found = await findActivity(database, 7, new Date());
    await database.close();
    expect(found.falling).toHaveLength(limits.moversShownMax);
    expect(found.falling[0]).toMatchObject({ previousScore: 75, trustScore: 70 });
    const all = [...found.rising, ...found.falling].map(({ agentId }) => agentId);
    expect(new Set(all).size).toBe(all.length);
    // The newest changes alone: those of the first 80,000 are not among them.
    for (const agentId of all) expect(Number(agentId.split('-')[1])).toBeGreaterThan(80_000);
  });
});
