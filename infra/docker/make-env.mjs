// Prints a .env for docker compose with random secrets: node infra/docker/make-env.mjs > .env
// The file is readable by its owner alone, whatever the umask is. Needs Node only. Run it once: other passwords than the ones its data was made with lock the stack out of its own database.
import { randomBytes } from 'node:crypto';
import { fchmodSync, fstatSync } from 'node:fs';

const names = [
  'ADMIN_KEY',
  'ADMIN_TOKEN',
  'REGISTRY_SECRET',
  'PERSONAL_DATA_KEY',
  'WEBHOOK_SECRET',
  'POSTGRES_PASSWORD',
  'DATABASE_TRUST_PROJECTION_PASSWORD',
  'DATABASE_REGISTRY_WRITE_PASSWORD',
  'DATABASE_RETENTION_PASSWORD',
  'NATS_GATEWAY_PASSWORD',
  'NATS_REGISTRY_WRITE_PASSWORD',
  'NATS_TRUST_PROJECTION_PASSWORD',
  'NATS_CALL_PROXY_PASSWORD',
  'NATS_PAY_PROXY_PASSWORD',
  // Of the profile `observability`: the password of Grafana's user admin.
  'GRAFANA_PASSWORD',
  // Of docker-compose.production.yml.
  'EVENTSTOREDB_ADMIN_PASSWORD',
  'EVENTSTOREDB_OPS_PASSWORD',
  'EVENTSTOREDB_REGISTRY_WRITE_PASSWORD',
  'EVENTSTOREDB_TRUST_PROJECTION_PASSWORD',
  'EVENTSTOREDB_CALL_PROXY_PASSWORD',
  'EVENTSTOREDB_PAY_PROXY_PASSWORD',
  'EVENTSTOREDB_RETENTION_PASSWORD',
];

// The shell has made the file, which is still empty.
if (fstatSync(1).isFile()) fchmodSync(1, 0o600);

// Each begins with a letter: nats-server takes a value that begins like a number for one, and does not start.
for (const name of names) process.stdout.write(`${name}=pw${randomBytes(32).toString('base64url')}\n`);
// An Ed25519 seed, which is nothing but 32 bytes.
process.stdout.write(`LOG_SIGNING_KEY=${randomBytes(32).toString('base64url')}\n`);
process.stdout.write(
  'PORT=8080\nBASE_URL=http://127.0.0.1:8080\nOUTBOUND_ALLOW=\nLOG_LEVEL=info\nCLAIM_DELIVERY=inline-unowned\nSMTP_URL=\nSMTP_FROM=\nLOG_ORIGIN=\n',
);
