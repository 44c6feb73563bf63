// The first program of the image: runs what its argument names, in this process.
//   gateway, registry-write, trust-projection, call-proxy, pay-proxy     a service
//   replay       rebuilds the read models, with DATABASE_URL and EVENT_LOG_URL of trust-projection
//   log-roles …  makes the event log in Postgres and its roles' rights, with EVENT_LOG_OWNER_URL
//   log-accept …, policy-activate …, archive …, backup …, restore …, secrets-rewrap …   as npm run log:accept and so on, with the settings that their
//                --help names
//   ops …        the operator's commands of agent-trust, with REGISTRY_URL and ADMIN_TOKEN
//   healthcheck  asks /readyz of the service of this container; "healthcheck /livez" asks whether it answers at all
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const services = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'];
const programs = {
  ...Object.fromEntries(services.map((name) => [name, { file: `services/${name}/src/main.ts` }])),
  replay: { file: 'services/trust-projection/src/tools/replay/main.ts' },
  'log-roles': { file: 'packages/event-log/src/main/log-roles.ts' },
  'log-accept': { file: 'services/trust-projection/src/tools/log-accept/main.ts' },
  'policy-activate': { file: 'services/trust-projection/src/tools/policy-activate/main.ts' },
  archive: { file: 'services/trust-projection/src/tools/archive/main.ts' },
  backup: { file: 'services/trust-projection/src/tools/backup/main.ts' },
  restore: { file: 'services/trust-projection/src/tools/restore/main.ts' },
  'secrets-rewrap': { file: 'packages/personal-data/src/main/secrets-rewrap.ts' },
  ops: { file: 'packages/cli/src/main/agent-trust.ts', args: ['ops'] },
  healthcheck: { file: 'packages/service-kit/src/main/healthcheck.ts' },
};

const [name = '', ...given] = process.argv.slice(2);
// A file was named before there was this program: compose files of others may still do so.
const program = Object.hasOwn(programs, name)
  ? programs[name]
  : Object.values(programs).find(({ file }) => file === name);
if (program === undefined) {
  process.stderr.write(`There is no program "${name}" in this image; it has ${Object.keys(programs).join(', ')}.\n`);
  process.exit(2);
}
const file = join(resolve(import.meta.dirname, '../..'), program.file);
process.argv = [process.execPath, file, ...(program.args ?? []), ...given];
await import(pathToFileURL(file).href);
