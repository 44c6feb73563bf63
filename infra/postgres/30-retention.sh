#!/bin/sh
# Run once by the Postgres image on an empty data folder, after 10-read-models.sh: the role of `archive`, which reads what trust-projection
# makes, now and after every replay, and writes nothing. On a database that is older than this file, run it by hand:
# docker compose exec postgres sh /docker-entrypoint-initdb.d/30-retention.sh (there the image's own entry point has not set POSTGRES_USER).
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_RETENTION_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname agent_trust <<'SQL'
CREATE ROLE retention LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
GRANT CONNECT ON DATABASE agent_trust TO retention;
ALTER DEFAULT PRIVILEGES FOR ROLE trust_projection GRANT USAGE ON SCHEMAS TO retention;
ALTER DEFAULT PRIVILEGES FOR ROLE trust_projection GRANT SELECT ON TABLES TO retention;
SELECT format('GRANT USAGE ON SCHEMA %I TO retention; GRANT SELECT ON ALL TABLES IN SCHEMA %I TO retention', nspname, nspname)
FROM pg_namespace WHERE nspowner = 'trust_projection'::regrole
\gexec
SQL
