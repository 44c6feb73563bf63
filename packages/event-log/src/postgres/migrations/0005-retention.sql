-- Exchanges leave the table when they are archived, and come back when their segment is restored. Only these functions do either, and only for
-- events whose positions a record in the stream log-archive names. Every other change is refused, as before.

create or replace function event_log.refuse_change() returns trigger
language plpgsql
as $$
begin
  -- event_log.remove_archived sets this for as long as it runs; what it removes is checked once more afterwards.
  if tg_op = 'DELETE' and current_setting('event_log.removes_archived', true) = 'on' then
    return null;
  end if;
  raise exception 'event_log.events is append-only: % is refused', tg_op using errcode = 'restrict_violation';
end
$$;

create function event_log.refuse_other_removals() returns trigger
language plpgsql
as $$
begin
  if exists (
    select from removed r
    where r.stream not like 'exchange-%'
      or r.type not in ('ExchangeStarted', 'ExchangeCompleted', 'ExchangeFailed', 'ExchangeAbandoned')
  ) then
    raise exception 'only events of archived exchanges may leave event_log.events' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create trigger only_exchanges_are_removed
  after delete on event_log.events referencing old table as removed
  for each statement execute function event_log.refuse_other_removals();

-- Ensures that the record at a position names exactly these positions.
create function event_log.ensure_archived(record_position bigint, archived bigint[]) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  named text;
begin
  select e.data ->> 'positionsSha256' into named from event_log.events e
  where e.position = record_position and e.stream = 'log-archive' and e.type = 'ExchangesArchived';
  if named is distinct from encode(sha256(convert_to(array_to_string(archived, ','), 'UTF8')), 'hex') then
    raise exception 'the event at position % is no record of these positions', record_position using errcode = 'restrict_violation';
  end if;
end
$$;

-- Removes those of the streams of which all events are archived. Answers how many streams are gone, of those asked for.
create function event_log.remove_archived(record_position bigint, archived bigint[], streams text[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set event_log.removes_archived = 'on'
as $$
begin
  perform event_log.ensure_archived(record_position, archived);
  -- No append may come in between: a review that is written now would lose its exchange.
  perform pg_advisory_xact_lock(7310589254071);
  delete from event_log.events e using (
    select f.stream from (
      select n.stream, min(n.revision) as lowest, max(n.revision) as highest, count(*) as events
      from event_log.events n join unnest(archived) a (position) using (position)
      where n.stream = any (streams)
      group by n.stream
    ) f
    where f.lowest = 0 and f.events = f.highest + 1
      and not exists (select from event_log.events o where o.stream = f.stream and o.revision > f.highest)
  ) whole
  where e.stream = whole.stream;
  return (
    select count(*) from unnest(streams) asked (stream)
    where not exists (select from event_log.events e where e.stream = asked.stream)
  );
end
$$;

-- Puts events back. Those that are there stay as they are. Answers how many were missing.
create function event_log.restore_archived(
  record_position bigint,
  archived bigint[],
  positions bigint[],
  event_ids uuid[],
  streams text[],
  revisions bigint[],
  event_types text[],
  event_data json[],
  event_metadata json[],
  recorded timestamptz[]
) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  restored bigint;
begin
  perform event_log.ensure_archived(record_position, archived);
  if not positions <@ archived
    or exists (
      select from unnest(streams, event_types) given (stream, type)
      where given.stream not like 'exchange-%'
        or given.type not in ('ExchangeStarted', 'ExchangeCompleted', 'ExchangeFailed', 'ExchangeAbandoned')
    )
  then
    raise exception 'only events of the archived exchanges may be restored' using errcode = 'restrict_violation';
  end if;
  perform pg_advisory_xact_lock(7310589254071);
  insert into event_log.events (position, event_id, stream, revision, type, data, metadata, recorded_at)
  select * from unnest(positions, event_ids, streams, revisions, event_types, event_data, event_metadata, recorded)
  on conflict do nothing;
  get diagnostics restored = row_count;
  return restored;
end
$$;

comment on table event_log.events is
  'Every event that was not archived, for ever. position is the order of commits; written by event_log.append alone.';

revoke all on function event_log.refuse_other_removals() from public;
revoke all on function event_log.ensure_archived(bigint, bigint[]) from public;
revoke all on function event_log.remove_archived(bigint, bigint[], text[]) from public;
revoke all on function event_log.restore_archived(bigint, bigint[], bigint[], uuid[], text[], bigint[], text[], json[], json[], timestamptz[]) from public;
