create schema if not exists event_log;

create table event_log.events (
  position bigint primary key,
  event_id uuid not null,
  stream text collate "C" not null,
  revision bigint not null check (revision >= 0),
  type text collate "C" not null,
  -- json, not jsonb: the text is kept as it was written, and reading it costs no conversion.
  data json not null,
  metadata json not null,
  recorded_at timestamptz(3) not null,
  constraint events_event_id_key unique (event_id),
  constraint events_stream_revision_key unique (stream, revision)
);

-- Not compressed: pages are bounded by the stored size, which must therefore be the real one, and reading stays cheap.
alter table event_log.events alter column data set storage external;
alter table event_log.events alter column metadata set storage external;

comment on table event_log.events is
  'Every event, for ever. position is the order of commits; written by event_log.append alone.';

-- Events are facts. Not even the owner changes one by accident.
create function event_log.refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'event_log.events is append-only: % is refused', tg_op using errcode = 'restrict_violation';
end
$$;

create trigger events_are_append_only
  before update or delete or truncate on event_log.events
  for each statement execute function event_log.refuse_change();

revoke all on schema event_log from public;
revoke all on all tables in schema event_log from public;
revoke all on all functions in schema event_log from public;
