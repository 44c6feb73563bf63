import pg from 'pg';
import { eventLogLimits } from '../limits.ts';
import type { LogUse, RightsFault, RightsReport } from '../rights/report.ts';
import { appendSignature } from './migrate.ts';
import { readFailure } from './sql-errors.ts';

/** One right of the user on the event log, beyond reading it. */
type Held = {
  right: string;
  what: 'user' | 'role' | 'owner' | 'grant';
  object: string;
  holder: string;
  /** The role that the user is a member of, through which it has the right; null for a right of its own, or of everybody. */
  via: string | null;
};

/**
 * What the user has: by an attribute, by ownership, by a grant to it or to everybody, or by a role whose rights it has, can take or can grant to
 * itself, also through further roles. A function that runs as the log's owner can do what that one may, wherever it is; whoever owns one that
 * a trigger of the log calls replaces it. Reads catalogues alone, which everybody may; an object that is not there has no row.
 */
const heldSql = `
  with recursive roles as (
    select r.oid, r.rolname, r.rolsuper, null::name as via from pg_roles r where r.rolname = session_user
    union
    select r.oid, r.rolname, r.rolsuper, coalesce(m.via, r.rolname)
    from roles m
    join pg_auth_members g on g.member = m.oid and (g.inherit_option or g.set_option or g.admin_option)
    join pg_roles r on r.oid = g.roleid
  ),
  log as (select oid, nspowner, nspacl from pg_namespace where nspname = 'event_log'),
  objects as (
    select 'DATABASE ' || quote_ident(d.datname) as object, d.datdba as owner, null::aclitem[] as acl
    from pg_database d where d.datname = current_database()
    union all select 'SCHEMA event_log', nspowner, nspacl from log
    union all select 'event_log.' || quote_ident(c.relname), c.relowner, c.relacl
    from pg_class c join log on c.relnamespace = log.oid where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all select 'event_log.' || quote_ident(c.relname), null, a.attacl
    from pg_attribute a join pg_class c on a.attrelid = c.oid join log on c.relnamespace = log.oid where a.attacl is not null
    union all select 'FUNCTION ' || p.oid::regprocedure, p.proowner, case when p.prosecdef then coalesce(p.proacl, acldefault('f', p.proowner)) end
    from pg_proc p join log on p.pronamespace = log.oid
    union all select 'FUNCTION ' || p.oid::regprocedure, null, coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p join log on p.proowner = log.nspowner
    where p.prosecdef and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and p.pronamespace not in (log.oid, 'pg_catalog'::regnamespace)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
  select 'user' as what, 'superuser' as "right", '' as object, session_user::text as holder, null::text as via
  from roles where rolname = session_user and rolsuper
  union all
  select 'role', 'membership in ' || rolname, '', rolname::text, via::text from roles
  where rolsuper or rolname in ('pg_write_all_data', 'pg_execute_server_program', 'pg_write_server_files')
  union all
  select 'owner', 'ownership', o.object, r.rolname, r.via from objects o join roles r on r.oid = o.owner
  union all
  select distinct 'grant', g.privilege_type, o.object, coalesce(r.rolname, 'PUBLIC'), r.via
  from objects o cross join lateral aclexplode(o.acl) g left join roles r on r.oid = g.grantee
  where (g.grantee = 0 or r.oid is not null) and g.grantee is distinct from o.owner
    and g.privilege_type not in ('SELECT', 'USAGE', 'CONNECT', 'TEMPORARY')`;

const missingSql = `
  select
    has_schema_privilege(n.oid, 'USAGE') as schema,
    (select coalesce(bool_and(has_table_privilege(c.oid, 'SELECT')), true) from pg_class c
      where c.relnamespace = n.oid and c.relname in ('events', 'log_format')) as tables,
    (select coalesce(bool_or(has_function_privilege(p.oid, 'EXECUTE')), true) from pg_proc p
      where p.pronamespace = n.oid and p.proname = 'append') as append
  from pg_namespace n where n.nspname = 'event_log'`;

/** What is wrong with the rights of the database user of `url`; nothing where the log has not been made. Rejects with `EventLogError`. */
export async function inspectPostgresRights(url: string, use: LogUse, name: string): Promise<RightsReport> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: eventLogLimits.connectDeadlineMs,
    application_name: `${name} (rights)`,
    statement_timeout: eventLogLimits.readDeadlineMs,
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Names are looked up in the catalogues alone, and those of functions have their schema in the answers.
    await client.query('set search_path to pg_catalog');
    const { rows } = await client.query<{ user: string }>('select session_user::text as "user"');
    const user = rows[0]?.user ?? '';
    const held = (await client.query<Held>(heldSql)).rows;
    const present = (await client.query<{ schema: boolean; tables: boolean; append: boolean }>(missingSql)).rows[0];
    return {
      user: pg.escapeIdentifier(user),
      faults: [...missingOf(user, use, present), ...excessOf(user, use, held)],
    };
  } catch (error) {
    throw readFailure('Reading the rights on the event log', error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const missingOf = (
  user: string,
  use: LogUse,
  present: { schema: boolean; tables: boolean; append: boolean } | undefined,
): RightsFault[] => {
  if (present === undefined) return [];
  const grant = (right: string, what: string): RightsFault => ({
    kind: 'missing',
    right: `${right} on ${what}`,
    mend: `GRANT ${right} ON ${what} TO ${pg.escapeIdentifier(user)}`,
  });
  return [
    ...(present.schema ? [] : [grant('USAGE', 'SCHEMA event_log')]),
    ...(present.tables ? [] : [grant('SELECT', 'event_log.events, event_log.log_format')]),
    ...(present.append || use === 'read' ? [] : [grant('EXECUTE', `FUNCTION ${appendSignature}`)]),
  ];
};

const roleOfItsOwn = 'name a role of its own in EVENT_LOG_URL, to which npm run log:roles gives its rights';

const excessOf = (user: string, use: LogUse, held: readonly Held[]): RightsFault[] => {
  const excess = (right: string, mend: string): RightsFault => ({ kind: 'excess', right, mend });
  // A superuser has every other right as well.
  if (held.some(({ what }) => what === 'user')) return [excess('everything (it is a superuser)', roleOfItsOwn)];
  return held.flatMap(({ what, right, object, holder, via }) => {
    if (what === 'grant' && use === 'append' && isAppend(object)) return [];
    const words = object === '' ? right : `${right} on ${object}`;
    if (holder === 'PUBLIC') return [excess(words, `REVOKE ${right} ON ${object} FROM PUBLIC`)];
    const name = pg.escapeIdentifier(user);
    if (holder !== user) {
      const through = what === 'role' ? words : `${words} through ${holder}`;
      return [excess(through, `REVOKE ${pg.escapeIdentifier(via ?? holder)} FROM ${name}`)];
    }
    return [excess(words, what === 'grant' ? `REVOKE ${right} ON ${object} FROM ${name}` : roleOfItsOwn)];
  });
};

const isAppend = (object: string): boolean => object.startsWith('FUNCTION event_log.append(');
