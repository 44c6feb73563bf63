-- Trigrams come from the extension pg_trgm. It stands in `public`, outside of the schemas that a replay builds and drops, and is
-- trusted: whoever may create schemas in the database may create it. Where that is not allowed its owner has to do it.
DO $$
DECLARE
  place text;
BEGIN
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF place IS NULL THEN
    BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    EXCEPTION WHEN OTHERS THEN
      RAISE EXCEPTION 'the read models need the extension pg_trgm, and it cannot be created here (%): let an administrator of database "%" run CREATE EXTENSION pg_trgm SCHEMA public, with the contrib modules of Postgres installed', SQLERRM, current_database();
    END;
  ELSIF place <> 'public' THEN
    RAISE EXCEPTION 'the read models need the extension pg_trgm in schema public, but database "%" has it in schema "%": let its owner run ALTER EXTENSION pg_trgm SET SCHEMA public', current_database(), place;
  END IF;
END
$$;

-- British spellings in American ones, on both sides of every comparison. What is no word then is none on both sides.
CREATE FUNCTION american(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT
  RETURN regexp_replace(regexp_replace(written,
    '(?<=\w\w)([iy])s(e|es|ed|er|ers|ing|ation|ations)\M', '\1z\2', 'gi'),
    '(?<=\w\w)our(s|ed|ing|ful)?\M', 'or\1', 'gi');
-- The words of a name or text, stemmed.
CREATE FUNCTION stems(written text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT
  RETURN to_tsvector('pg_catalog.english', american(translate(written, '_./+:&', '      ')));

-- The seed taxonomy, as the stream `taxonomy` has it.
CREATE TABLE capability (
  name text COLLATE "C" PRIMARY KEY,
  category text COLLATE "C" NOT NULL,
  description text NOT NULL,
  aliases text[] NOT NULL,
  phrases text[] NOT NULL,
  -- Instances keep the seed in memory: how many rows there are and the highest of these tell whether it is still this one.
  defined_position bigint NOT NULL
);

-- Names and aliases of the seed taxonomy. A label may belong to two capabilities while it moves from one to the other.
CREATE TABLE capability_label (
  label text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (label, name)
);

-- Names that agents have, canonical in the universe of the agent.
CREATE TABLE learned_capability (
  name text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  search tsvector NOT NULL GENERATED ALWAYS AS (stems(name)) STORED,
  PRIMARY KEY (name, universe)
);
CREATE INDEX learned_capability_search ON learned_capability USING gin (search) WITH (fastupdate = off);
CREATE INDEX learned_capability_trigrams ON learned_capability USING gin (name public.gin_trgm_ops) WITH (fastupdate = off);

-- Who has confirmed a name as an alias in production, as long as that is too few for it to be one.
CREATE TABLE alias_support (
  alias text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  org_ids text[] NOT NULL,
  PRIMARY KEY (alias, name)
);

-- Names that the operator keeps from being learned as aliases in production.
CREATE TABLE undone_alias (
  alias text COLLATE "C" PRIMARY KEY
);

-- Aliases that are known in a universe: confirmed by enough organisations or by the operator, or in its sandbox by an organisation itself.
CREATE TABLE learned_alias (
  alias text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  search tsvector NOT NULL GENERATED ALWAYS AS (stems(alias)) STORED,
  PRIMARY KEY (alias, universe)
);
-- The aliases of a capability.
CREATE INDEX learned_alias_by_name ON learned_alias (name, universe);
CREATE INDEX learned_alias_search ON learned_alias USING gin (search) WITH (fastupdate = off);
CREATE INDEX learned_alias_trigrams ON learned_alias USING gin (alias public.gin_trgm_ops) WITH (fastupdate = off);

-- What looks like a text, by trigrams. Postgres takes a comparison of trigrams for as cheap as one of numbers and would compare with
-- every row; in these functions it has no other way than the index. They are not inlined because of their settings.
CREATE FUNCTION learned_capabilities_like(asked text, universes text[], count_max integer) RETURNS SETOF learned_capability
  LANGUAGE sql STABLE SET enable_seqscan = off SET enable_indexscan = off SET pg_trgm.similarity_threshold = 0.6
  AS 'SELECT * FROM learned_capability WHERE name OPERATOR(public.%) asked AND universe = ANY (universes) LIMIT count_max';
CREATE FUNCTION learned_aliases_like(asked text, universes text[], count_max integer) RETURNS SETOF learned_alias
  LANGUAGE sql STABLE SET enable_seqscan = off SET enable_indexscan = off SET pg_trgm.similarity_threshold = 0.6
  AS 'SELECT * FROM learned_alias WHERE alias OPERATOR(public.%) asked AND universe = ANY (universes) LIMIT count_max';
