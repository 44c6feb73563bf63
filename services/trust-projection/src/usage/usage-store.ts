import type { DailyLimits, DayUsage, UsageGrant, UsageItem, UsageKind } from '@agent-trust/contracts';
import { loadMigrations, migrate } from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import type pg from 'pg';
import { openPool, readModelSchema, withConnection } from '../shared/database.ts';
import { grantOf } from './grant.ts';
import { usageLimits } from './limits.ts';

export const usageSchema = 'usage_record';

export type Report = { reporterId: string; sequence: number; items: UsageItem[] };

/** Counts of organisations' requests, shared by all gateways. */
export type UsageStore = {
  /** Takes a report once, however often it is sent, and leases what its gateway wants. */
  settle(report: Report): Promise<UsageGrant[]>;
  /** The days on which an organisation did something, oldest first; both ends are included. */
  list(orgId: string, from: string, to: string): Promise<DayUsage[]>;
  /** Deletes what is older than it is kept. */
  cleanUp(): Promise<void>;
  close(): Promise<void>;
};

/** @param defaults limits of organisations for which the operator has set none */
export async function openUsageStore(
  connectionString: string,
  defaults: DailyLimits,
  logger: Pick<Logger, 'warn'>,
): Promise<UsageStore> {
  const migrations = await usageMigrations();
  await withConnection({ connectionString, connectionTimeoutMillis: usageLimits.connectTimeoutMs }, (client) =>
    migrate(client, { schema: usageSchema, migrations }),
  );
  const pool = openPool(connectionString, logger, {
    name: 'usage',
    application_name: 'trust-projection usage',
    max: usageLimits.connectionsMax,
    // A lease that a gateway uses must not be forgotten, whatever the database's default is.
    options: '-c synchronous_commit=on',
  });
  return {
    settle: (report) => inTransaction(pool, (connection) => settle(connection, report, defaults)),
    list: async (orgId, from, to) => daysOf((await pool.query<DayRow>(listSql, [orgId, from, to])).rows),
    cleanUp: async () => {
      await pool.query(
        `DELETE FROM ${usageSchema}.organisation_day WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int`,
        [usageLimits.daysKept],
      );
      await pool.query(`DELETE FROM ${usageSchema}.reporter WHERE reported_at < now() - $1 * interval '1 hour'`, [
        usageLimits.reportersKeptHours,
      ]);
    },
    close: () => pool.end(),
  };
}

export function usageMigrations(): ReturnType<typeof loadMigrations> {
  return loadMigrations(new URL('./', import.meta.url));
}

type Connection = Pick<pg.ClientBase, 'query'>;

const inTransaction = async <Result>(pool: pg.Pool, work: (client: Connection) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    // A connection whose transaction failed may be in any state.
    client.release(failed);
  }
};

const settle = async (
  client: Connection,
  { reporterId, sequence, items }: Report,
  defaults: DailyLimits,
): Promise<UsageGrant[]> => {
  const { rows: taken } = await client.query(takeSql, [reporterId, sequence]);
  if (taken.length === 0) return repeated(client, reporterId, sequence);
  const { rows } = await client.query<CountedRow>(countSql, [
    items.map(({ orgId }) => orgId),
    items.map(({ day }) => day),
    items.map(({ kind }) => kind),
    ...(['inProduction', 'inSandbox', 'failed', 'refused', 'leased'] as const).map((name) =>
      items.map((item) => item[name]),
    ),
  ]);
  const wanting = items.filter(({ wanted }) => wanted > 0);
  if (wanting.length === 0) return [];
  const counted = new Map(rows.map((row) => [keyOf(row), row]));
  const limits = await limitsOf(client, wanting, defaults);
  const granted = wanting.map(({ orgId, day, kind, wanted }): UsageGrant => {
    const row = counted.get(keyOf({ orgId, day, kind }));
    if (row === undefined) throw new Error('a row that was just written is missing');
    const limit = limits(orgId, kind);
    const { used, leased } = row;
    const granted = grantOf({ limit, used, leased }, wanted);
    return { orgId, day, kind, limit, taken: used + leased, granted };
  });
  await client.query(leaseSql, [
    granted.map(({ orgId }) => orgId),
    granted.map(({ day }) => day),
    granted.map(({ kind }) => kind),
    granted.map((one) => one.granted),
  ]);
  await client.query(`UPDATE ${usageSchema}.reporter SET granted = $2::jsonb WHERE reporter_id = $1`, [
    reporterId,
    JSON.stringify(granted),
  ]);
  return granted;
};

const repeated = async (client: Connection, reporterId: string, sequence: number): Promise<UsageGrant[]> => {
  const { rows } = await client.query<{ granted: UsageGrant[] }>(
    `SELECT granted FROM ${usageSchema}.reporter WHERE reporter_id = $1 AND sequence = $2`,
    [reporterId, sequence],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`report ${sequence} of ${reporterId} was overtaken by a later one`);
  return row.granted;
};

const limitsOf = async (
  client: Connection,
  items: readonly UsageItem[],
  defaults: DailyLimits,
): Promise<(orgId: string, kind: UsageKind) => number> => {
  const { rows } = await client.query<Record<UsageKind, number | null> & { orgId: string }>(
    `SELECT org_id AS "orgId", calls_per_day AS calls, registrations_per_day AS registrations, reads_per_day AS reads
     FROM ${readModelSchema}.organisation_limits WHERE org_id = ANY ($1::text[])`,
    [[...new Set(items.map(({ orgId }) => orgId))]],
  );
  const own = new Map(rows.map((row) => [row.orgId, row]));
  return (orgId, kind) => own.get(orgId)?.[kind] ?? defaults[`${kind}PerDay`];
};

type CountedRow = { orgId: string; day: string; kind: UsageKind; used: number; leased: number };
type DayRow = {
  day: string;
  kind: UsageKind;
  inProduction: number;
  inSandbox: number;
  failed: number;
  refused: number;
};

const keyOf = ({ orgId, day, kind }: { orgId: string; day: string; kind: UsageKind }): string =>
  `${orgId} ${day} ${kind}`;

const daysOf = (rows: readonly DayRow[]): DayUsage[] =>
  [...Map.groupBy(rows, ({ day }) => day)].map(([day, kinds]) => {
    const of = (kind: UsageKind) => {
      const row = kinds.find((one) => one.kind === kind);
      const { inProduction = 0, inSandbox = 0, failed = 0, refused = 0 } = row ?? {};
      return { used: inProduction + inSandbox, inProduction, inSandbox, failed, refused };
    };
    return { day, calls: of('calls'), registrations: of('registrations'), reads: of('reads') };
  });

const takeSql = `
  INSERT INTO ${usageSchema}.reporter AS r (reporter_id, sequence, granted, reported_at) VALUES ($1, $2, '[]', now())
  ON CONFLICT (reporter_id) DO UPDATE SET sequence = excluded.sequence, granted = '[]', reported_at = now()
  WHERE r.sequence < excluded.sequence RETURNING sequence`;

// In one order, so that two reports never wait for each other.
const countSql = `
  INSERT INTO ${usageSchema}.organisation_day AS d (org_id, day, kind, in_production, in_sandbox, failed, refused, leased)
  SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    AS item (org_id, day, kind, in_production, in_sandbox, failed, refused, leased)
  ORDER BY item.org_id COLLATE "C", item.day, item.kind COLLATE "C"
  ON CONFLICT (org_id, day, kind) DO UPDATE SET
    in_production = d.in_production + excluded.in_production, in_sandbox = d.in_sandbox + excluded.in_sandbox,
    failed = d.failed + excluded.failed, refused = d.refused + excluded.refused, leased = d.leased + excluded.leased
  RETURNING d.org_id AS "orgId", d.day::text AS day, d.kind, (d.in_production + d.in_sandbox)::float8 AS used, d.leased::float8 AS leased`;

const leaseSql = `
  UPDATE ${usageSchema}.organisation_day d SET leased = d.leased + g.granted
  FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[]) AS g (org_id, day, kind, granted)
  WHERE d.org_id = g.org_id AND d.day = g.day AND d.kind = g.kind`;

const listSql = `
  SELECT day::text AS day, kind, in_production::float8 AS "inProduction", in_sandbox::float8 AS "inSandbox", failed::float8 AS failed,
    refused::float8 AS refused
  FROM ${usageSchema}.organisation_day WHERE org_id = $1 AND day BETWEEN $2::date AND $3::date ORDER BY day`;
