/**
 * Makes the fixture of the present version: `npm run release:fixture`. Starts a registry, writes every type of event by real requests, and keeps
 * its data, what it answers about them, and what its interfaces offer. It is made once for each release, before the release is tagged.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventDefinitions } from '@agent-trust/contracts';
import { startStack } from '@agent-trust/dev-stack';
import { startDomainWorld } from '@agent-trust/test-kit/domain-world';
import { registryVersion } from '../../packages/service-kit/src/version.ts';
import { dumpDatabase } from './dump-database.ts';
import { fixtureFiles } from './fixture-files.ts';
import { segmentsFolder, writeHistory } from './history/write-history.ts';
import { describeInterface } from './interface-of.ts';
import { askAll } from './questions.ts';
import { eventsIn } from './read-log.ts';
import { shiftedServices } from './shifted-service.ts';
import { fixtureBaseUrl, stackEnvironment } from './stack-settings.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await using resources = new AsyncDisposableStack();
const folder = resources.adopt(mkdtempSync(join(tmpdir(), 'release-fixture-')), (it) =>
  rmSync(it, { recursive: true, force: true }),
);
const world = resources.adopt(await startDomainWorld(), (it) => it.stop());
const services = resources.adopt(shiftedServices(), (it) => it.remove());
const stack = resources.adopt(
  await startStack({
    dataDir: folder,
    port: 0,
    fsync: false,
    env: { ...process.env, ...stackEnvironment, ...world.settings },
    serviceFile: services.serviceFile,
    onProgress: say,
  }),
  (it) => it.stop(),
);

const known = await writeHistory(stack, { world, setDaysAgo: services.setDaysAgo, folder, say });
say('Asking…');
const answers = await askAll(stack, known);
const refused = Object.entries(answers).filter(([, { status }]) => status !== 200);
for (const [question, { status, body }] of refused) say(`${question} answered ${status}: ${JSON.stringify(body)}`);
const checkpoint = await (await fetch(`${stack.url}/log/checkpoint`)).text();
const logKey = (await (await fetch(`${stack.url}/log/key`)).json()) as Record<string, unknown>;
const secrets = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as unknown;
const { data, ...definitions } = await dumpDatabase(stack.postgresUrl ?? '');

const typesWritten = new Map<string, number>();
for (const { type } of eventsIn(data)) typesWritten.set(type, (typesWritten.get(type) ?? 0) + 1);
const files = fixtureFiles(registryVersion);
rmSync(files.folder, { recursive: true, force: true });
files.writeJson('about.json', {
  release: registryVersion,
  baseUrl: fixtureBaseUrl,
  madeAt: new Date().toISOString(),
  events: Object.fromEntries([...typesWritten].toSorted(([a], [b]) => a.localeCompare(b))),
});
files.writeJson('data/secrets.json', secrets);
files.writeJson('data/known.json', known);
files.writeJson('data/definitions.json', definitions);
files.writeCompressed('data/rows.json.zst', JSON.stringify(data));
cpSync(join(folder, segmentsFolder), join(files.folder, 'data', segmentsFolder), { recursive: true });
files.writeJson('answers/log.json', { checkpoint, key: logKey['verifier_key'] });
files.writeCompressed('answers/answers.json.zst', JSON.stringify(answers));
for (const [name, description] of Object.entries(await describeInterface()))
  files.writeJson(`interface/${name}.json`, description);

const missing = eventDefinitions.filter(({ type }) => !typesWritten.has(type)).map(({ type }) => type);
say(`${files.folder}: ${typesWritten.size} types of events, ${Object.keys(answers).length} answers.`);
if (missing.length > 0) say(`Not written: ${missing.join(', ')}`);
process.exitCode = missing.length + refused.length > 0 ? 1 : 0;
