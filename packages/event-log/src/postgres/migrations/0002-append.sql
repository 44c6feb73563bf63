-- Appends many requests, each to one stream, in one transaction. Each request is written whole or refused by itself:
-- a refused one writes nothing and does not touch the others. Answers one row a request, in their order.
--
-- outcome 'appended' | 'repeated': last_revision and last_position are those of the request's last event.
-- outcome 'wrong_expected_revision' | 'event_id_conflict': last_revision is where the stream is, -1 for no events.
--
-- expected: a revision, or -1 no stream, -2 any, -4 stream exists. What repeated event ids mean follows EventStoreDB:
--   a revision or no stream: the very events that stand behind the expected revision are a repetition, anything else is a conflict;
--   any, stream exists: the same ids in the same stream are a repetition; none of them known is new; a mixture is an event id conflict.
-- Beyond EventStoreDB an event id is unique in the whole log.
--
-- The lock is what makes position order commit order: it is taken before the first position is given out and held until
-- the transaction is visible to others, so no reader can see position n + 1 and later find n appear behind it.
create function event_log.append(
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
as $$
declare
  head bigint;
  head_before bigint;
  now_recorded timestamptz(3);
  expected bigint;
  current bigint;
  first_event integer := 1;
  last_event integer;
  known integer;
  known_here integer;
  event record;
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
  head_before := head;
  -- Never back, even when the clock is set back: readers look for 'the log as of a time'.
  now_recorded := greatest(now_recorded, clock_timestamp());

  for i in 1 .. cardinality(streams) loop
    last_event := first_event + event_counts[i] - 1;
    expected := expected_revisions[i];
    current := (select e.revision from event_log.events e where e.stream = streams[i] order by e.revision desc limit 1);
    current := coalesce(current, -1);
    last_revision := current;
    last_position := null;

    known := 0;
    known_here := 0;
    for k in first_event .. last_event loop
      select e.stream, e.revision, e.position into event from event_log.events e where e.event_id = event_ids[k];
      if found then
        known := known + 1;
        if event.stream = streams[i]
          and (expected < -1 or event.revision = expected + 1 + k - first_event)
        then
          known_here := known_here + 1;
        end if;
      end if;
    end loop;

    if (expected >= -1 and expected > current) or (expected = -4 and current = -1) then
      outcome := 'wrong_expected_revision';
    elsif known_here = event_counts[i] then
      -- `event` is the last one looked up: all were found.
      outcome := 'repeated';
      last_revision := event.revision;
      last_position := event.position;
    elsif expected >= -1 and expected < current then
      outcome := 'wrong_expected_revision';
    elsif known > 0 then
      outcome := 'event_id_conflict';
    else
      for k in first_event .. last_event loop
        current := current + 1;
        head := head + 1;
        insert into event_log.events (position, event_id, stream, revision, type, data, metadata, recorded_at)
        values (head, event_ids[k], streams[i], current, event_types[k], event_data[k], event_metadata[k], now_recorded);
      end loop;
      outcome := 'appended';
      last_revision := current;
      last_position := head;
    end if;
    return next;
    first_event := last_event + 1;
  end loop;

  -- Only a wake-up: a subscriber that misses it finds the events at its next poll.
  if head > head_before then
    perform pg_notify('event_log', head::text);
  end if;
end
$$;

revoke all on function event_log.append(text[], bigint[], integer[], uuid[], text[], json[], json[]) from public;
