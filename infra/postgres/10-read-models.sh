#!/bin/sh
# Run once by the Postgres image on an empty data folder: the role and database of the read models. trust-projection owns its
# schemas there and may make more, for a replay builds beside the live one; nobody else gets in. Capabilities are searched by trigrams.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_TRUST_PROJECTION_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE trust_projection LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE agent_trust;
REVOKE ALL ON DATABASE agent_trust FROM PUBLIC;
GRANT CONNECT, CREATE ON DATABASE agent_trust TO trust_projection;
\connect agent_trust
CREATE EXTENSION pg_trgm SCHEMA public;
SQL
