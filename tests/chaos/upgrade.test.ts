/*
 * Bug: an operator starts a new version on the data of an earlier release, and a score, a key, a claim link, a webhook or the log is not what it
 * was; or starts an earlier version on the data of a newer one, which leaves out what it does not know.
 * Method: a stack starts on what each release wrote (tests/fixtures/releases), and is asked what the release was asked. Then events of a version
 * that does not exist yet are appended.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureFiles, fixtureReleases } from '../release-fixture/fixture-files.ts';
import { startFixtureAgent } from '../release-fixture/history/exchanges.ts';
import {
  agentKeyOf,
  anybody,
  keyOf,
  type Known,
  operator,
  unreviewed,
} from '../release-fixture/history/written-registry.ts';
import { layOutFixture } from '../release-fixture/open-fixture.ts';
import { type Answers, askAll } from '../release-fixture/questions.ts';
import { stackEnvironment } from '../release-fixture/stack-settings.ts';
import { type Answer, type Body, httpTo, sendTo, textMessage } from '../support/registry.ts';
import { startWebhookConsumer, type WebhookConsumer } from '../support/webhook-consumer.ts';
import { replay } from './support/read-model-rows.ts';
import { waitFor } from './support/wait-for.ts';

const verifyProgram = resolve(import.meta.dirname, '../../packages/log-verifier/src/main/log-verify.ts');
const run = promisify(execFile);

/** Read models as the release left them, and as a release with other read models would; each then meets an event of a version still to come. */
const upgrades = fixtureReleases().flatMap((release) => [
  {
    release,
    readModels: 'as they were',
    change: [],
    newer: { type: 'AgentBefriended', schemaVersion: 1, said: 'AgentBefriended is not known to this version' },
  },
  {
    release,
    readModels: 'of another schema',
    change: [`UPDATE read_models.projection_checkpoint SET schema_fingerprint = 'of another release'`],
    newer: { type: 'KeyRotated', schemaVersion: 99, said: 'KeyRotated has schema version 99' },
  },
]);

/** What goes on without a request: the deliveries of webhooks, and when a key was used last. */
const variable = new Set(['pending', 'dead_letters', 'last_delivered_at', 'last_failure', 'last_used_at']);

/** What of an earlier answer the present one lacks or says differently. Further fields are no difference. */
const differences = (before: unknown, after: unknown, at: string): string[] => {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) return [`${at} has another length`];
    return before.flatMap((one, index) => differences(one, after[index], `${at}[${index}]`));
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof after !== 'object' || after === null) return [`${at} is ${JSON.stringify(after)}`];
    return Object.entries(before).flatMap(([name, one]) =>
      variable.has(name) ? [] : differences(one, (after as Body)[name], `${at}.${name}`),
    );
  }
  return before === after ? [] : [`${at} is ${JSON.stringify(after)} instead of ${JSON.stringify(before)}`];
};

describe.each(upgrades)('an upgrade from $release, with read models $readModels', ({ release, change, newer }) => {
  const files = fixtureFiles(release);
  const known = files.readJson('data/known.json') as Known;
  const log = files.readJson('answers/log.json') as { checkpoint: string; key: string };
  const progress: string[] = [];
  const [hook] = Object.values(known.webhooks);
  let dataDir: string;
  let consumer: WebhookConsumer;
  let stack: Stack;

  beforeAll(async () => {
    dataDir = await layOutFixture(files, change);
    // The log of the release says where its webhook sends to, so the port cannot be another.
    consumer = await startWebhookConsumer(() => hook?.secret, Number(new URL(hook?.url ?? '').port));
    const caFile = join(dataDir, 'consumer.crt');
    writeFileSync(caFile, certificate);
    stack = await startStack({
      dataDir,
      port: 0,
      fsync: false,
      env: { ...process.env, ...stackEnvironment, NODE_EXTRA_CA_CERTS: caFile },
      onLog: (name, line) => void (name === 'trust-projection' && progress.push(line)),
    });
  });
  afterAll(async () => {
    await stack?.stop();
    consumer?.stop();
    if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
  });

  const send = (by: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    sendTo(stack.url, method, path, { headers: known.credentials[by] ?? {}, body });

  it('gives every answer that the release gave', async () => {
    const before = JSON.parse(files.readCompressed('answers/answers.json.zst')) as Answers;
    const after = await askAll(stack, known);
    expect(Object.keys(before).length).toBeGreaterThan(100);
    const changed = Object.entries(before).flatMap(([question, { status, body }]) => [
      ...(after[question]?.status === status
        ? []
        : [`${question} answers ${after[question]?.status} instead of ${status}`]),
      ...differences(body, after[question]?.body, question),
    ]);
    expect(changed).toEqual([]);
    // Those that the release left are kept if their schema is still the same.
    const isReplayed = progress.some((line) => line.includes('building them anew'));
    expect(isReplayed || change.length === 0).toBe(true);
  });

  it('has read models that a replay makes as well', async () => {
    expect(await replay(stack)).toMatchObject({ code: 0 });
  });

  it('goes on with the log: the checkpoint of the release is a prefix, under the same key', async () => {
    const before = join(dataDir, 'before.checkpoint');
    writeFileSync(before, log.checkpoint);
    const { stdout } = await run(process.execPath, [
      verifyProgram,
      '--event-log',
      stack.environment['EVENT_LOG_URL'] ?? '',
      '--key',
      log.key,
      '--checkpoint',
      before,
      '--checkpoint',
      `${stack.url}/log/checkpoint`,
    ]);
    expect(stdout).toMatch(/verified/iu);
  });

  it('shows the contacts that were encrypted', async () => {
    for (const [agentId, contact] of Object.entries(known.contacts)) {
      const { body } = await send(known.agents[agentId]?.readableBy ?? anybody, 'GET', `/agent/${agentId}`);
      expect([agentId, body['contact_info']]).toEqual([agentId, contact]);
    }
    expect((await send(anybody, 'GET', '/agent/erased')).body['contact_info']).toBeNull();
  });

  it('sends the messages that the webhook has waited for, signed with the secret of then', async () => {
    await waitFor(() => consumer.received.length > 0, { description: 'a message of the webhook' });
    const secret = await send(keyOf('beta'), 'GET', `/org/webhooks/${hook?.webhookId}/secret`);
    expect(secret.body['secret']).toBe(hook?.secret);
  });

  it('takes new writes by the keys and the claim links of then', async () => {
    const [, path] = Object.entries(known.unclaimed)[0] ?? [];
    const claimed = await send(anybody, 'GET', path ?? '');
    expect([claimed.status, claimed.body['agent_key']]).toEqual([200, expect.any(String)]);
    expect((await send(anybody, 'GET', path ?? '')).status).not.toBe(200);

    const { transactionId, agentId } = known.exchanges[unreviewed] ?? { transactionId: '', agentId: '' };
    const review = {
      caller_agent_id: 'buyer',
      receiver_agent_id: agentId,
      transaction_id: transactionId,
      success: true,
      score: 10,
    };
    expect((await send(agentKeyOf('buyer'), 'POST', '/review', review)).status).toBe(200);

    const agent = await startFixtureAgent();
    try {
      const moved = { agent_id: 'answering', endpoint_url: new URL('/answers', agent.url).href };
      expect((await send(keyOf('beta'), 'POST', '/update', moved)).status).toBe(200);
      const call = { caller_agent_id: 'buyer', agent_id: 'answering', message: textMessage('hello') };
      expect((await send(agentKeyOf('buyer'), 'POST', '/call', call)).status).toBe(200);
    } finally {
      await agent.stop();
    }
    const added = { agent_id: `after-${randomUUID()}`, contact_email: 'a@agent.example' };
    expect((await send(anybody, 'POST', '/register', added)).status).toBe(201);
    expect((await send(operator, 'POST', '/ops/agents/suspended/reinstate', { reason: 'mended' })).status).toBe(200);
  });

  it('stops at an event of a newer version, says what to do, and writes nothing that depends on it', async () => {
    const { type, schemaVersion, said } = newer;
    const eventLog = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'upgrade' });
    const event = { eventId: randomUUID(), type, data: { agentId: 'live' }, metadata: { schemaVersion } };
    await eventLog.append('agent-live', [event], { expectedRevision: 'any' });
    await eventLog.close();
    const report = await waitFor(
      async () => {
        const { body } = await httpTo(stack.url).get('/ops/status', known.credentials[operator]);
        return JSON.stringify(body).includes(type) ? body : null;
      },
      { description: 'the report of the event' },
    );
    expect(JSON.stringify(report)).toContain(said);
    expect(JSON.stringify(report)).toContain('docs/upgrades.md');
    const refused = await send(keyOf('alpha'), 'POST', '/update', { agent_id: 'live', specialty: 'Changed' });
    expect(refused.status).toBeGreaterThanOrEqual(500);
  });
});
