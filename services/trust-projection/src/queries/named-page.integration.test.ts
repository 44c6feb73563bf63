/** Agents by the beginning of their ids: which are found, in which order, and what it costs among very many. */
import { limits, listRegistry, type Universe } from '@agent-trust/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedPageStatement } from '../projector/read-models/agent-standing/named-page.ts';
import { agentRegistered, organisationCreated, production } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';

let fixture: ServiceFixture;
const at = '2026-01-01T00:00:00.000Z';
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const otherSandbox: Universe = { kind: 'sandbox', orgId: 'rival' };

/** The most trusted first, as the registry lists them: organisations' agents begin at 75, others at 40. */
const vouched = { orgId: 'acme', verified: true };
beforeAll(async () => {
  fixture = await createServiceFixture();
  await fixture.untilVisible(
    await fixture.record(
      organisationCreated('acme', at),
      organisationCreated('rival', at),
      agentRegistered({ agentId: 'acme-b', ...vouched }, at),
      agentRegistered({ agentId: 'Acme-a', ...vouched }, at),
      agentRegistered({ agentId: 'ACME' }, at),
      agentRegistered({ agentId: 'acme' }, at),
      agentRegistered({ agentId: 'old acme', ...vouched }, at),
      agentRegistered({ agentId: 'acme-unreachable', ...vouched, configuration: { endpointUrl: null } }, at),
      agentRegistered({ agentId: 'acme-draft', ...vouched, universe: sandbox }, at),
      agentRegistered({ agentId: '100% wool' }, at),
      agentRegistered({ agentId: '100_wool' }, at),
      agentRegistered({ agentId: '100\\wool' }, at),
      agentRegistered({ agentId: 'Ångström' }, at),
      agentRegistered({ agentId: 'last\u{10ffff}\u{10ffff}' }, at),
    ),
  );
});
afterAll(() => fixture.close());

type Asked = { limit?: number; offset?: number; minTrustScore?: number; universe?: Universe };
const named = async (agentIdPrefix: string | null, asked: Asked = {}): Promise<[string[], number]> => {
  const page = { universe: production, limit: 50, offset: 0, minTrustScore: 0, ...asked, agentIdPrefix };
  const { agents, total } = await fixture.gateway.request(listRegistry, page, { timeoutMs: 10_000 });
  return [agents.map(({ agentId }) => agentId), total];
};

describe('agents by the beginning of their ids', () => {
  it.each(['acme', 'ACME', 'aCmE'])('are found in any case, in the order of the registry: %s', async (prefix) => {
    expect(await named(prefix)).toEqual([['Acme-a', 'acme-b', 'ACME', 'acme'], 4]);
  });

  it('are found by the whole id, and by nothing within or behind it', async () => {
    expect(await named('Acme-A')).toEqual([['Acme-a'], 1]);
    expect(await named('Acme-a ')).toEqual([[], 0]);
    expect(await named('cme')).toEqual([[], 0]);
    expect(await named('old')).toEqual([['old acme'], 1]);
  });

  it.each([
    ['100%', ['100% wool']],
    ['100_', ['100_wool']],
    ['100\\', ['100\\wool']],
    ['%', []],
    ['_', []],
    [`'; --`, []],
  ])('take no character for others: %s', async (prefix, found) => {
    expect(await named(prefix)).toEqual([found, found.length]);
  });

  it('are compared by their letters where these are not A to Z', async () => {
    expect(await named('Ångst')).toEqual([['Ångström'], 1]);
    expect(await named('ångst')).toEqual([[], 0]);
    expect((await named('last\u{10ffff}'))[1]).toBe(1);
  });

  it('come in pages, and not below a score that is asked for', async () => {
    expect(await named('acme', { limit: 1, offset: 1 })).toEqual([['acme-b'], 4]);
    expect(await named('acme', { limit: 50, offset: 4 })).toEqual([[], 4]);
    expect(await named('acme', { minTrustScore: 75 })).toEqual([['Acme-a', 'acme-b'], 2]);
    expect(await named('acme', { minTrustScore: 76 })).toEqual([[], 0]);
  });

  it('are those of one universe', async () => {
    expect(await named('acme', { universe: sandbox })).toEqual([['acme-draft'], 1]);
    expect(await named('acme', { universe: otherSandbox })).toEqual([[], 0]);
  });

  it('are all agents where nothing is asked for', async () => {
    expect((await named(null))[1]).toBe(10);
  });
});

// Bug: looking for a name reads all agents that have it, or all in the order of their scores until it comes; whoever registers many
// newcomers under a name hides those who had it.
describe('among 100,000 newcomers with the same beginning, and as many others', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: fixture.url, options: '-c search_path=read_models' });
    await client.connect();
    for (const table of ['agent', 'agent_standing']) {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'read_models' AND table_name = $1 ORDER BY ordinal_position`,
        [table],
      );
      const columns = rows.map(({ name }) => (name === 'agent_id' ? `prefix || n` : name)).join(', ');
      await client.query(
        `INSERT INTO ${table} SELECT ${columns} FROM ${table} CROSS JOIN generate_series(1, 100000) n
         CROSS JOIN (VALUES ('acme-'), ('others-')) many(prefix) WHERE agent_id = 'acme'`,
      );
    }
    // Also where nothing is trusted less: the search goes through all scores.
    await client.query(`UPDATE agent_standing SET trust_score = 95 WHERE agent_id LIKE 'others-%'`);
    await client.query('ANALYZE');
  }, 120_000);
  afterAll(() => client.end());

  it('the most trusted come first, and no more are listed than the limit', async () => {
    const [ids, total] = await named('acme');
    expect(ids.slice(0, 5)).toEqual(['Acme-a', 'acme-b', 'ACME', 'acme', 'acme-1']);
    expect(total).toBe(limits.registryNamedMax);
    expect((await named('acme', { offset: limits.registryNamedMax - 2 }))[0]).toHaveLength(2);
    expect(await named('acme', { offset: limits.registryNamedMax })).toEqual([[], limits.registryNamedMax]);
    expect((await named('acme-9999'))[1]).toBe(11);
    expect(await named('acne')).toEqual([[], 0]);
  });

  it.each(['acme', 'acme-99999', 'others-5', 'nobody'])('reads the index by ranges: %s', async (agentIdPrefix) => {
    const page = { universe: 'production', limit: 50, offset: 0, minTrustScore: 0, countMax: limits.registryNamedMax };
    const { text, values } = namedPageStatement({ ...page, agentIdPrefix });
    // As the service's connections have it.
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON, ANALYZE) ${text}`,
      values,
    );
    const scans = scansOf(rows[0]?.['QUERY PLAN'][0].Plan as PlanNode);
    expect(new Set(scans.map(({ index }) => index))).toEqual(
      new Set(['agent_standing_by_name', 'agent_pkey', 'agent_standing_pkey']),
    );
    for (const { index, rows: read, removed } of scans) {
      expect(removed).toBe(0);
      expect(read).toBeLessThanOrEqual(index === 'agent_standing_by_name' ? limits.registryNamedMax : page.limit);
    }
  });
});

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** How each table is read: by which index, and how many rows in all. */
const scansOf = (node: PlanNode): { index: string | undefined; rows: number; removed: number }[] => [
  ...(node['Relation Name'] === undefined
    ? []
    : [
        {
          index: node['Index Name'],
          // In a plan, both numbers are means of all loops; that of rows is rounded.
          rows: Math.floor(node['Actual Rows'] * node['Actual Loops']),
          removed: node['Rows Removed by Filter'] ?? 0,
        },
      ]),
  ...(node.Plans ?? []).flatMap(scansOf),
];
