-- As 0002, where the outcomes, the expectations and the lock are explained, but the batch is handled as sets, with one INSERT: half the processor time for each of 256 events.
-- The requests of a batch must have different streams, and no event id twice among them; otherwise a unique constraint refuses the whole batch.
create or replace function event_log.append(
  streams text[],
  expected_revisions bigint[],
  event_counts integer[],
  event_ids uuid[],
  event_types text[],
  event_data json[],
  event_metadata json[]
) returns table (outcome text, last_revision bigint, last_position bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
-- A plan made while the table was one page reads it whole, and is kept for the connection while the table grows under it.
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  head bigint;
  now_recorded timestamptz(3);
begin
  -- Under a snapshot taken before the lock we would not see what was committed while we waited for it.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'event_log.append needs transaction isolation read committed' using errcode = 'invalid_transaction_state';
  end if;
  -- An acknowledged append is durable whatever the role or the database is set to.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;

  perform pg_advisory_xact_lock(7310589254071);

  select e.position, e.recorded_at into head, now_recorded from event_log.events e order by e.position desc limit 1;
  head := coalesce(head, 0);
  -- Never back, even when the clock is set back: readers look for 'the log as of a time'.
  now_recorded := greatest(now_recorded, clock_timestamp());

  return query
  with request as (
    select r.number, r.stream, r.expected, r.events,
      sum(r.events) over (order by r.number) - r.events as events_before,
      coalesce((select e.revision from event_log.events e where e.stream = r.stream order by e.revision desc limit 1), -1) as current
    from unnest(streams, expected_revisions, event_counts) with ordinality r (stream, expected, events, number)
  ),
  given as (
    select r.number as request, k as nth, g.event_id, g.type, g.data, g.metadata
    from request r
    cross join lateral generate_series(1, r.events) k
    join unnest(event_ids, event_types, event_data, event_metadata) with ordinality g (event_id, type, data, metadata, number)
      on g.number = r.events_before + k
  ),
  known as (
    select r.number,
      count(*) as events,
      count(*) filter (
        where e.stream = r.stream and (r.expected < -1 or e.revision = r.expected + g.nth)
      ) as events_here,
      max(e.revision) filter (where g.nth = r.events) as last_revision,
      max(e.position) filter (where g.nth = r.events) as last_position
    from given g
    join event_log.events e on e.event_id = g.event_id
    join request r on r.number = g.request
    group by r.number
  ),
  decided as (
    select r.*, k.last_revision as known_revision, k.last_position as known_position,
      case
        when (r.expected >= -1 and r.expected > r.current) or (r.expected = -4 and r.current = -1) then 'wrong_expected_revision'
        when k.events_here = r.events then 'repeated'
        when r.expected >= -1 and r.expected < r.current then 'wrong_expected_revision'
        when k.events > 0 then 'event_id_conflict'
        else 'appended'
      end as decision
    from request r left join known k on k.number = r.number
  ),
  placed as (
    select d.*, head + sum(d.events) filter (where d.decision = 'appended') over (order by d.number) as position_after
    from decided d
  ),
  written as (
    insert into event_log.events (position, event_id, stream, revision, type, data, metadata, recorded_at)
    select
      p.position_after - p.events + g.nth, g.event_id, p.stream, p.current + g.nth,
      g.type, g.data, g.metadata, now_recorded
    from placed p
    join given g on g.request = p.number
    where p.decision = 'appended'
  )
  select p.decision,
    case p.decision when 'appended' then p.current + p.events when 'repeated' then p.known_revision else p.current end,
    case p.decision when 'appended' then p.position_after when 'repeated' then p.known_position end::bigint
  from placed p
  order by p.number;

  -- Only a wake-up: a subscriber that misses it finds the events at its next poll.
  perform pg_notify('event_log', e.position::text)
  from (select n.position from event_log.events n order by n.position desc limit 1) e where e.position > head;
end
$$;
