/**
 * Bug: a key or a claim token is in a log line, a trace, an event, a row, a key-value bucket or an error's text, where readers of logs or
 * backups find it. Method: issue secrets on every path and misuse them in every wrong place, at log level `trace` and with a collector for
 * traces. Then search all logs, traces, events, rows and buckets for each secret's value, and for anything of a secret's form (the other test
 * files have left theirs, too).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { waitFor } from '@agent-trust/test-kit';
import { expect, it } from 'vitest';
import {
  adminKey,
  adminToken,
  type Answer,
  ask,
  call,
  createOrg,
  freshClient,
  get,
  join,
  type Org,
  post,
  redeem,
  stack,
  tokenOf,
} from '../support/ask.ts';
import { busEntries } from '../support/bus-entries.ts';
import { createNamedKey, revokeNamedKey } from '../support/named-keys.ts';
import { createOperatorKey } from '../support/operators.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { rotate, signer } from '../support/signer.ts';
import { allEvents, findSecrets, secretsIn } from '../support/secrets-at-rest.ts';

it('the search finds a planted secret', async () => {
  const registered = await post('/register', { agent_id: unique('agent'), contact_email: 'a@b.example' });
  const { body } = await redeem(registered.body['claim_link']);
  expect(secretsIn(JSON.stringify({ url: registered.body['claim_link'] }))).toEqual(['a claim token']);
  expect(
    secretsIn(JSON.stringify({ err: { message: `bad token ${tokenOf(registered.body['claim_link'])}` } })),
  ).toEqual(['a claim token']);
  expect(secretsIn(`"authorization":"Bearer ${String(body['agent_key'])}"`)).toEqual(['a key']);
  expect(secretsIn('{"keyHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}')).toEqual([]);
});

it('no secret is in any log line, trace, event, row, bucket or error', async () => {
  const endpoint = await startRecordingAgent();
  const org = await createOrg();
  const named = await namedKeys(org);
  const orgSecrets = [org.key, org.sandboxKey].map((headers) => String(headers['x-api-key']));
  const contact = { contact_email: `${unique('owner')}@agent.example`, contact_info: unique('ring twice at') };
  const member = await join(org.key, { ...contact, endpoint_url: endpoint.url });
  const target = await join({}, { endpoint_url: endpoint.url });
  const key = String(member.auth['authorization']).slice('Bearer '.length);
  const unused = await post('/rotate', { agent_id: member.agentId }, { ...freshClient(), ...org.key });
  const used = await post('/rotate', { agent_id: member.agentId }, { ...freshClient(), ...adminToken });
  const renewed = String((await redeem(used.body['claim_link'])).body['agent_key']);
  const [unusedToken, usedToken] = [tokenOf(unused.body['claim_link']), tokenOf(used.body['claim_link'])];
  const secrets = [
    ...orgSecrets,
    ...named,
    key,
    renewed,
    unusedToken,
    usedToken,
    ...(await replacedKeys(org)),
    ...(await repeated()),
  ];
  const signed = await signer();
  const bySignature = String((await rotate(signed)).body['agent_key']);
  secrets.push(bySignature);
  secrets.push((await createOperatorKey('viewer')).key, ...(await signInSecrets()));

  const refused: Answer[] = [];
  for (const secret of [...secrets, stack.adminKey, stack.adminToken]) {
    const misuses = [
      get('/org/whoami', { 'x-api-key': `${secret}x` }),
      get(`/rotate?token=${encodeURIComponent(`${secret}x`)}`),
      get(`/nothing/${encodeURIComponent(secret)}?key=${encodeURIComponent(secret)}`),
      get(`/registry?limit=${encodeURIComponent(secret)}`),
      post('/org/create-key', { org_name: 'x', contact_email: 'a@b.example' }, { 'x-admin-key': `${secret}x` }),
      post('/verify', { agent_id: { secret } }),
      ask('POST', '/verify', { body: `{"agent_id": ${secret}}` }),
      ask('POST', '/register', { body: '{}', headers: { authorization: `Bearer ${secret}x` } }),
      post('/match', { message_protocol: secret }),
      call({ ...member, auth: { authorization: `Bearer ${secret}x` } }, target.agentId, textMessage('x')),
    ];
    refused.push(...(await Promise.all(misuses)));
  }
  expect(refused.every(({ status }) => status >= 400 && status < 500)).toBe(true);
  expect(
    refused.flatMap(({ text }) =>
      [...secrets, stack.adminKey, stack.adminToken].filter((secret) => text.includes(secret)),
    ),
  ).toEqual([]);

  const caller = { ...member, auth: { authorization: `Bearer ${renewed}` } };
  const forwarded = { forwarded_headers: { 'x-leak': renewed } };
  expect((await call(caller, target.agentId, textMessage(`my key is ${renewed}`), forwarded)).status).toBe(200);
  await endpoint.stop();
  expect((await call(caller, target.agentId, textMessage(`my key is ${renewed}`), forwarded)).status).toBe(502);
  expect((await post('/org/create-key', { org_name: org.name, contact_email: 'a@b.example' }, adminKey)).status).toBe(
    409,
  );

  // Log lines appear within a moment of their answer, spans in order: once those of a later request are there, these are complete.
  const trace = randomBytes(16).toString('hex');
  await get('/registry?limit=1', { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` });
  await waitFor(() => existsSync(stack.tracesFile) && readFileSync(stack.tracesFile, 'utf8').includes(trace));
  expect(await findSecrets(stack, [...secrets, ...Object.values(contact)])).toEqual([]);
});

/** A sign-in code that nobody redeems, one that was redeemed twice, and the key that it gave. */
const signInSecrets = async (): Promise<string[]> => {
  const [unused, used] = [
    await post('/ops/sign-in-codes', {}, adminToken),
    await post('/ops/sign-in-codes', { role: 'viewer' }, adminToken),
  ];
  const { code } = used.body;
  const first = await post('/ops/sign-in', { code }, freshClient());
  expect(first.status).toBe(201);
  expect((await post('/ops/sign-in', { code }, freshClient())).status).toBe(400);
  return [unused.body['code'], code, first.body['key']].map(String);
};

/** Secrets of named keys: one that was replaced and still works, its successor, one of the sandbox, and one that was revoked. */
const namedKeys = async (org: Org): Promise<string[]> => {
  const [kept, sandbox, gone] = [
    await createNamedKey(org.key),
    await createNamedKey(org.sandboxKey),
    await createNamedKey(org.key),
  ];
  const replaced = await post(`/org/keys/${kept.keyId}/replace`, { overlap_seconds: 600 }, org.key);
  expect(replaced.status).toBe(200);
  expect((await revokeNamedKey(org.key, gone.name)).status).toBe(200);
  // Used, so that the bucket of uses knows them.
  for (const { key } of [kept, sandbox]) expect((await get('/org/whoami', key)).status).toBe(200);
  return [kept.secret, String(replaced.body['api_key']), sandbox.secret, gone.secret];
};

/** The keys that replace an organisation's first ones. */
const replacedKeys = async (org: Org): Promise<string[]> => {
  expect((await ask('DELETE', '/org/sandbox-key', { headers: org.key })).status).toBe(200);
  const sandbox = await post('/org/sandbox-key', {}, org.key);
  const production = await post('/org/rotate-key', {}, org.key);
  return [sandbox.body['sandbox_api_key'], production.body['api_key']].map((key) => {
    expect(key).toMatch(/^registry-org-/u);
    return String(key);
  });
};

/** A repeated registration, whose answer is kept with its claim link, and its idempotency key. */
const repeated = async (): Promise<string[]> => {
  const key = randomUUID();
  const body = { agent_id: unique('agent'), contact_email: 'a@b.example' };
  const [first, again] = [
    await post('/register', body, { 'idempotency-key': key }),
    await post('/register', body, { 'idempotency-key': key }),
  ];
  const token = tokenOf(first.body['claim_link']);
  expect(tokenOf(again.body['claim_link'])).toBe(token);
  return [key, token, token.split('.')[1] ?? ''];
};

it('the search covers traces and buckets, too', async () => {
  expect(readFileSync(stack.tracesFile, 'utf8')).toContain('POST /register');
  const kept = new Map<string, number>();
  for await (const { bucket } of busEntries(stack.gatewayNatsUrl)) kept.set(bucket, (kept.get(bucket) ?? 0) + 1);
  expect([...kept.keys()].toSorted()).toEqual(
    expect.arrayContaining(['idempotency_anonymous', 'nonces', 'rate_limits']),
  );
});

it('the log holds only hashes of keys and tokens', async () => {
  const org = await createOrg();
  const { agentId } = await join(org.key);
  const types: string[] = [];
  for await (const { stream, type, data } of allEvents(stack.eventLogUrl)) {
    if (stream !== `agent-${agentId}`) continue;
    types.push(type);
    const hashes = Object.entries(data).filter(([name, value]) => /hash$/iu.test(name) && value !== null);
    for (const [, hash] of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/u);
  }
  expect(types).toEqual(['AgentRegistered', 'ClaimIssued', 'KeyRotated']);
});
