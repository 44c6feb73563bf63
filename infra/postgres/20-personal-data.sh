#!/bin/sh
# Run once by the Postgres image on an empty data folder, after 10-read-models.sh: the schema of the keys that agents' contacts are sealed
# with. registry-write makes and destroys them, trust-projection reads them, nobody changes one. On a database that is older than this
# file, run it by hand: docker compose exec postgres sh /docker-entrypoint-initdb.d/20-personal-data.sh (there the image's own entry point has
# not set POSTGRES_USER).
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_REGISTRY_WRITE_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname agent_trust <<'SQL'
CREATE ROLE registry_write LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
GRANT CONNECT ON DATABASE agent_trust TO registry_write;
\i /personal-data.sql
GRANT USAGE ON SCHEMA personal_data TO registry_write, trust_projection;
GRANT SELECT, INSERT, DELETE ON personal_data.agent_key TO registry_write;
GRANT SELECT ON personal_data.agent_key TO trust_projection;
SQL
