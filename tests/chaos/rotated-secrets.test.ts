/*
 * Bugs: a replaced secret makes stored things unreadable, has a request carried out twice, or makes consumers and readers of the log refuse
 * what is genuine; the former value is still accepted after its end; a service starts although it cannot read what is stored.
 * Method: a registry with data is restarted with every secret that has a second value replaced, then with the former values removed. Webhooks
 * are verified by the library of Standard Webhooks, the log by the commands of its readers.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openCheckpoint, verifyReceipt, verifySignedVerdict } from '@agent-trust/client/log';
import { findRunningStack, type Stack } from '@agent-trust/dev-stack';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerText, type RecordingAgent, startRecordingAgent } from './support/recording-agent.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  type Http,
  httpTo,
  type Member,
  orgKey,
  registerAgent,
  unique,
} from '../support/registry.ts';
import { startWebhookConsumer, type WebhookConsumer } from '../support/webhook-consumer.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

const root = resolve(import.meta.dirname, '../..');
const replaced = ['PERSONAL_DATA_KEY', 'REGISTRY_SECRET', 'WEBHOOK_SECRET', 'LOG_SIGNING_KEY'];

let folder: string;
let stack: Stack | undefined;
let http: Http;
let agent: RecordingAgent;
let consumer: WebhookConsumer;
/** What the receiver at each path of the consumer has. */
const receivers = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotated-'));
  writeFileSync(join(folder, 'consumer.crt'), certificate);
  agent = await startRecordingAgent(answerText);
  consumer = await startWebhookConsumer((path) => receivers.get(path));
});
afterAll(async () => {
  await stack?.stop();
  consumer?.stop();
  await agent?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const data = (): string => join(folder, 'data');
const start = async (): Promise<void> => {
  const env = {
    NODE_EXTRA_CA_CERTS: join(folder, 'consumer.crt'),
    OUTBOUND_ALLOW: 'localhost,127.0.0.1',
    WEBHOOK_ATTEMPTS_MAX: '2',
    WEBHOOK_RETRY_FIRST_MS: '20',
    WEBHOOK_RETRY_LONGEST_MS: '50',
  };
  stack = await startChaosStack(env, undefined, data());
  http = httpTo(stack.url);
};
const stop = async (): Promise<void> => {
  await stack?.stop();
  stack = undefined;
};
type Run = { code: number; output: string };
const run = (program: string, args: string[], env: Readonly<Record<string, string>> = {}): Promise<Run> =>
  new Promise((done) => {
    const options = { env: { PATH: process.env['PATH'] ?? '', DATA_DIR: data(), ...env } };
    execFile(process.execPath, [join(root, program), ...args], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
const rotate = (name: string, ...more: string[]): Promise<Run> =>
  run('packages/dev-stack/src/main/secrets-rotate.ts', ['--name', name, ...more]);
const verifyLog = (...keys: string[]): Promise<Run> =>
  run(
    'packages/log-verifier/src/main/log-verify.ts',
    ['--registry', stack?.url ?? '', ...keys.flatMap((key) => ['--key', key])],
    { EVENT_LOG_URL: stack?.environment['EVENT_LOG_URL'] ?? '' },
  );
const text = async (path: string): Promise<string> => (await fetch(`${stack?.url ?? ''}${path}`)).text();
const presentKey = async (): Promise<string> => String((await http.get('/log/key')).body['verifier_key']);
const contactOf = async (member: Member): Promise<unknown> =>
  (await http.get(`/agent/${member.agentId}`, bearer(member.key))).body['contact_info'];
const signedVerdict = async (agentId: string): Promise<string> =>
  String((await http.post('/verify?signed=true', { agent_id: agentId })).body['signed_verdict']);

it('secrets are replaced under a registry with data, with an overlap and an end of it', async () => {
  await start();
  const organisation = await createOrganisation(stack!);
  const ofOrganisation = orgKey(organisation.key);
  const receiver = await registerAgent(http, { fields: { endpoint_url: agent.url } });
  const [caller, ...leaving] = await Promise.all(
    Array.from({ length: 4 }, () =>
      registerAgent(http, { key: organisation.key, fields: { endpoint_url: agent.url, contact_info: 'ring twice' } }),
    ),
  );
  if (caller === undefined) throw new Error('four agents were registered');
  /** Two receivers: one keeps the secret that it got first, the other takes each new one. */
  const hooks = await Promise.all(
    ['/keeps', '/follows'].map(async (path) => {
      const { body } = await http.post('/org/webhooks', { url: `${consumer.url}${path}` }, ofOrganisation);
      receivers.set(path, String(body['secret']));
      return { path, id: String(body['webhook_id']), secret: String(body['secret']) };
    }),
  );
  const secretsOf = async ({ id }: { id: string }) =>
    (await http.get(`/org/webhooks/${id}/secret`, ofOrganisation)).body;
  /** Messages come at least once: one that was answered late comes again, under the same id. */
  const accepted = (path: string): number =>
    new Set(consumer.received.filter((one) => one.path === path).map(({ id }) => id)).size;
  /** Causes one message to each webhook, and waits until both were sent. */
  const message = async (): Promise<void> => {
    const before = consumer.requests();
    const retired = await http.post('/retire', { agent_id: leaving.pop()?.agentId }, ofOrganisation);
    expect(retired.status).toBe(200);
    await waitFor(() => consumer.requests() >= before + hooks.length);
  };
  await message();
  await waitFor(() => accepted('/keeps') === 1 && accepted('/follows') === 1);

  const repeated = { agent_id: unique('repeated'), contact_email: 'owner@agent.example' };
  const idempotency = { 'idempotency-key': randomUUID() };
  const register = () => untilServed(() => http.post('/register', repeated, idempotency));
  const first = await register();
  expect(first.status).toBe(201);
  const { body: exchange } = await http.post('/call', callBody(caller, receiver.agentId), bearer(caller.key));
  const transactionId = String(exchange['transaction_id']);
  const rating = { caller_agent_id: caller.agentId, receiver_agent_id: receiver.agentId, success: true, score: 9 };
  const reviewed = await http.post('/review', { ...rating, transaction_id: transactionId }, bearer(caller.key));
  expect(reviewed.status).toBeLessThan(300);
  const receipt = (await http.get(`/agent/${receiver.agentId}/trust/receipt/${transactionId}`)).body as never;
  const [formerKey, formerNote] = [await presentKey(), await text('/log/checkpoint')];
  const formerVerdict = await signedVerdict(receiver.agentId);
  await verifyReceipt(receipt, { logKey: formerKey });
  await stop();

  for (const name of replaced) expect(await rotate(name)).toMatchObject({ code: 0 });
  await start();
  expect(await contactOf(caller)).toBe('ring twice');
  const again = await register();
  expect([again.status, again.body]).toEqual([201, first.body]);
  for (const one of hooks)
    expect(await secretsOf(one)).toMatchObject({
      previous_secret: one.secret,
      secret: expect.not.stringContaining(one.secret),
    });
  receivers.set('/follows', String((await secretsOf(hooks[1]!))['secret']));
  await message();
  await waitFor(() => accepted('/keeps') === 2 && accepted('/follows') === 2);

  const newKey = await presentKey();
  expect(newKey).not.toBe(formerKey);
  const note = await text('/log/checkpoint');
  for (const logKey of [formerKey, newKey])
    expect((await openCheckpoint(note, { logKey })).origin).toBe(formerKey.split('+')[0]);
  const expected = { agentId: receiver.agentId };
  const newVerdict = await signedVerdict(receiver.agentId);
  for (const jws of [formerVerdict, newVerdict])
    await verifySignedVerdict(jws, { logKey: newKey, otherLogKeys: [formerKey] }, expected);
  expect(await verifyLog(formerKey)).toMatchObject({ code: 0 });
  expect(await verifyLog(newKey)).toMatchObject({ code: 0 });
  await stop();

  // Without the value that the stored keys need, nothing starts, and the reason is said.
  const secretsFile = join(data(), 'secrets.json');
  const kept = readFileSync(secretsFile, 'utf8');
  expect(await rotate('PERSONAL_DATA_KEY', '--end')).toMatchObject({ code: 0 });
  await expect(start()).rejects.toThrow('PERSONAL_DATA_KEY_PREVIOUS');
  writeFileSync(secretsFile, kept);

  await start();
  const owners = findRunningStack(data())?.ownerEnvironment ?? {};
  const rewrapped = await run('packages/personal-data/src/main/secrets-rewrap.ts', [], owners);
  expect(rewrapped).toMatchObject({ code: 0, output: expect.stringMatching(/; 0 remain/u) });
  expect(await contactOf(caller)).toBe('ring twice');
  await stop();

  for (const name of replaced) expect(await rotate(name, '--end')).toMatchObject({ code: 0 });
  await start();
  expect(await contactOf(caller)).toBe('ring twice');
  expect(await secretsOf(hooks[0]!)).toMatchObject({ previous_secret: null });
  await message();
  await waitFor(() => accepted('/follows') === 3);
  expect(accepted('/keeps')).toBe(2);
  const last = await text('/log/checkpoint');
  await expect(openCheckpoint(last, { logKey: formerKey })).rejects.toMatchObject({ code: 'unknown_key' });
  expect(await verifyLog(formerKey)).toMatchObject({ code: 1 });
  for (const keys of [[newKey], [formerKey, newKey], []]) expect(await verifyLog(...keys)).toMatchObject({ code: 0 });
  const { keys } = (await http.get('/log/key')).body as {
    keys: { verifier_key: string; signed_until: string | null }[];
  };
  expect(keys.map(({ verifier_key, signed_until }) => [verifier_key, signed_until !== null])).toEqual([
    [newKey, false],
    [formerKey, true],
  ]);
  await openCheckpoint(formerNote, { logKey: newKey, otherLogKeys: [formerKey] });
  await verifyReceipt(receipt, { logKey: newKey, otherLogKeys: [formerKey] });
  await verifySignedVerdict(formerVerdict, { logKey: newKey, otherLogKeys: [formerKey] }, expected);
  await expect(verifySignedVerdict(formerVerdict, { logKey: newKey }, expected)).rejects.toMatchObject({
    code: 'unknown_key',
  });
}, 900_000);
