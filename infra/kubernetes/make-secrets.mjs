// Prints the Secrets of the Helm chart with random values, as YAML for kubectl. Needs Node only. Run it once, and keep what it prints as you keep
// other secrets: with other values, contacts cannot be read, webhooks have other secrets, and the log has another key.
//
//   node infra/kubernetes/make-secrets.mjs --nats tls://nats:4222 --postgres postgres:5432/agent_trust \
//     --event-log 'esdb://node-1:2113,node-2:2113,node-3:2113?tls=true&tlsCAFile=/etc/agent-trust/ca/ca.crt' > secrets.yaml
//
// --postgres may have parameters: 'postgres:5432/agent_trust?sslmode=verify-full&sslrootcert=/etc/agent-trust/ca/ca.crt'. An --event-log that
// begins with postgres:// is used as it is, with its own user; that of agent-trust-retention needs another role, which may remove what was
// archived (docs/retention.md). Besides the Secrets of the services, it prints those of the servers: agent-trust-nats
// (variables of infra/nats/nats.conf), agent-trust-postgres (of infra/postgres) and agent-trust-eventstoredb (a password for each user).
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

const usage =
  'Usage: make-secrets.mjs --nats tls://HOST:4222[,…] --postgres HOST:5432/agent_trust --event-log esdb://HOST:2113[,…]?tls=true';
const fail = (message) => {
  process.stderr.write(`${message}\n${usage}\n`);
  process.exit(2);
};
const read = () => {
  try {
    const text = { type: 'string' };
    return parseArgs({ options: { nats: text, postgres: text, 'event-log': text } }).values;
  } catch (error) {
    return fail(error.message);
  }
};
const { nats, postgres, 'event-log': eventLog } = read();
if (!/^(nats|tls):\/\/[^@]+$/u.test(nats ?? '')) fail('--nats must be nats:// or tls:// and hosts, without a user.');
if (!/^[^@/]+\/\w+(\?.*)?$/u.test(postgres ?? '')) fail('--postgres must be HOST:PORT/DATABASE, without a user.');
if (!/^(esdb(\+discover)?:\/\/[^@]+|postgres(ql)?:\/\/.+)$/u.test(eventLog ?? ''))
  fail('--event-log must be esdb:// or esdb+discover:// without a user, or postgres:// with one.');

/** A letter first: nats-server reads a value that begins like a number as one. */
const password = () => `pw${randomBytes(32).toString('base64url')}`;
const services = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'];
const variable = (service) => service.replaceAll('-', '_').toUpperCase();
const passwordsOf = (names) => Object.fromEntries(names.map((name) => [name, password()]));

const natsPasswords = passwordsOf(services);
const databasePasswords = passwordsOf(['trust-projection', 'registry-write', 'retention']);
const logPasswords = passwordsOf([...services.slice(1), 'retention']);
const withUser = (url, user, secret) => url.replace('://', `://${user}:${secret}@`);
const natsUrl = (service) =>
  nats
    .split(',')
    .map((one, index) => (index === 0 || one.includes('://') ? one : `${nats.split('://')[0]}://${one}`))
    .map((one) => withUser(one, service, natsPasswords[service]))
    .join(',');
const logUrl = (service) =>
  eventLog.startsWith('esdb') ? withUser(eventLog, service, logPasswords[service]) : eventLog;
const databaseUrl = (service) => `postgres://${service.replaceAll('-', '_')}:${databasePasswords[service]}@${postgres}`;

const personalDataKey = password();
const webhookSecret = password();
const ofService = {
  gateway: {
    ADMIN_KEY: password(),
    ADMIN_TOKEN: password(),
    REGISTRY_SECRET: password(),
    WEBHOOK_SECRET: webhookSecret,
  },
  'registry-write': {
    PERSONAL_DATA_DATABASE_URL: databaseUrl('registry-write'),
    PERSONAL_DATA_KEY: personalDataKey,
  },
  'trust-projection': {
    DATABASE_URL: databaseUrl('trust-projection'),
    PERSONAL_DATA_KEY: personalDataKey,
    // An Ed25519 seed, which is nothing but 32 bytes.
    LOG_SIGNING_KEY: randomBytes(32).toString('base64url'),
    WEBHOOK_SECRET: webhookSecret,
  },
};

const secret = (name, values) =>
  [
    'apiVersion: v1',
    'kind: Secret',
    `metadata: { name: agent-trust-${name} }`,
    'type: Opaque',
    'stringData:',
    ...Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
    '',
  ].join('\n');
const named = (prefix, passwords) =>
  Object.fromEntries(
    Object.entries(passwords).map(([service, value]) => [`${prefix}_${variable(service)}_PASSWORD`, value]),
  );

const documents = services.map((service) =>
  secret(service, {
    NATS_URL: natsUrl(service),
    ...(service === 'gateway' ? {} : { EVENT_LOG_URL: logUrl(service) }),
    ...ofService[service],
  }),
);
documents.push(
  secret('retention', { DATABASE_URL: databaseUrl('retention'), EVENT_LOG_RETENTION_URL: logUrl('retention') }),
  secret('nats', named('NATS', natsPasswords)),
  secret('postgres', { POSTGRES_PASSWORD: password(), ...named('DATABASE', databasePasswords) }),
);
if (eventLog.startsWith('esdb')) documents.push(secret('eventstoredb', named('EVENTSTOREDB', logPasswords)));
process.stdout.write(documents.join('---\n'));
