import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog, type RecordedEvent } from '@agent-trust/event-log';
import { connectRpc } from '@agent-trust/nats-rpc';
import type { DomainWorld } from '@agent-trust/test-kit/domain-world';
import { waitFor } from '@agent-trust/test-kit';
import { loadTaxonomy } from '../../../packages/taxonomy/src/index.ts';
import { publishTaxonomy } from '../../../services/registry-write/src/publish-taxonomy.ts';
import { writeAgents } from './agents.ts';
import { writeDomains } from './domains.ts';
import { startFixtureAgent, writeExchanges, writeFirstExchange } from './exchanges.ts';
import { writeCapabilities, writeOperatorKeys, writeOrganisationKeys, writeOrganisations } from './organisations.ts';
import { runTool } from './run-tool.ts';
import { writeWebhooks } from './webhooks.ts';
import { anybody, type Known, writtenRegistry } from './written-registry.ts';

type Parts = { world: DomainWorld; setDaysAgo: (days: number) => void; folder: string; say: (line: string) => void };

/** The segments of archived events, in the data folder. */
export const segmentsFolder = 'segments';

/** With `CALL_TIMEOUT_MS` of a second an exchange stays open for a minute, and a look for such exchanges finds it soon after. */
const abandonedWithinMs = 120_000;

const textIn = (event: RecordedEvent | undefined, name: string): string => {
  const value = event?.data[name];
  if (typeof value !== 'string') throw new Error(`${event?.type ?? 'the event'} has no text ${name}`);
  return value;
};

/** Writes every type of event into the log of a new stack, by real requests and by the commands of operators. */
export async function writeHistory(stack: Stack, { world, setDaysAgo, folder, say }: Parts): Promise<Known> {
  await using resources = new AsyncDisposableStack();
  const { NATS_GATEWAY_PASSWORD = '' } = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as Record<string, string>;
  const natsUrl = stack.natsUrl.replace('//', `//gateway:${NATS_GATEWAY_PASSWORD}@`);
  const rpc = resources.adopt(await connectRpc({ natsUrl, service: 'gateway', instanceId: 'fixture' }), (it) =>
    it.close(),
  );
  const agent = resources.adopt(await startFixtureAgent(), (it) => it.stop());
  const log = resources.adopt(await openEventLog(stack.postgresUrl ?? '', { applicationName: 'fixture' }), (it) =>
    it.close(),
  );
  const idOf = async (org: string): Promise<string> => {
    const events = await log.readAll({ after: null, countMax: 5_000 });
    const created = events.find(({ type, data }) => type === 'OrganisationCreated' && data['orgName'] === org);
    return textIn(created, 'orgId');
  };
  const isWritten = async (type: string): Promise<boolean> => {
    const events = await log.readAll({ after: null, countMax: 5_000 });
    return events.some((event) => event.type === type);
  };
  const registry = writtenRegistry(stack);

  say('Organisations, operators, domains…');
  await writeOrganisations(registry);
  await writeOrganisationKeys(registry);
  await writeOperatorKeys(registry);
  await writeDomains(registry, { rpc, world, setDaysAgo, idOf });
  await writeCapabilities(registry);
  say('Agents, webhooks…');
  await writeAgents(registry);
  await writeWebhooks(registry);
  say('An archived exchange…');
  await writeFirstExchange(registry, agent.url);
  // The newest event of the log is none of an exchange: where it is, an archive of so young exchanges takes what the read models are known by.
  await registry.register(anybody, 'newest', { contact_email: 'n@agent.example' });
  const segments = join(folder, segmentsFolder);
  await runTool(stack, 'archive', ['--older-than', '1d', '--to', segments], { daysAhead: 2 });
  const [archived] = (await log.readAll({ after: null, countMax: 5_000 })).filter(
    ({ type }) => type === 'ExchangesArchived',
  );
  const segment = textIn(archived, 'segment');
  await runTool(stack, 'archive', ['--restore', segment, '--to', segments]);
  await runTool(stack, 'archive', ['--remove', segment, '--to', segments]);

  say('Exchanges…');
  const asked = agent.requests();
  await writeExchanges(registry, agent.url, async () => {
    await waitFor(() => agent.requests() > asked, { description: 'the call at the agent' });
    stack.kill('call-proxy', 'SIGKILL');
    await waitFor(() => stack.restartCount('call-proxy') > 0 && stack.isReady(), {
      timeoutMs: 60_000,
      description: 'the proxy to be back',
    });
  });

  say('A capability that the taxonomy no longer has…');
  const seed = await loadTaxonomy();
  const [first] = seed;
  if (first === undefined) throw new Error('the taxonomy is empty');
  await publishTaxonomy({ log, now: () => new Date() }, [
    ...seed,
    { ...first, name: 'telex_dispatch', aliases: [], phrases: [] },
  ]);
  stack.kill('registry-write', 'SIGKILL');
  await waitFor(() => isWritten('CapabilityRetired'), {
    timeoutMs: 60_000,
    description: 'the capability to be retired',
  });
  await waitFor(() => stack.isReady(), { timeoutMs: 60_000, description: 'registry-write to be back' });

  say('An abandoned exchange…');
  await waitFor(() => isWritten('ExchangeAbandoned'), {
    timeoutMs: abandonedWithinMs,
    intervalMs: 1_000,
    description: 'the exchange to be abandoned',
  });

  say('A trust policy…');
  const strict = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../docs/policies/strict-2026.json'), 'utf8'),
  ) as object;
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(strict));
  await runTool(stack, 'policy-activate', ['--policy', policy]);
  await waitFor(async () => (await fetch(`${stack.url}/health`)).status === 200, { description: 'a healthy registry' });
  return registry.known;
}
