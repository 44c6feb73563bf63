/*
 * Bugs: an operator cannot see whose messages wait, or send them again; a viewer can; an operator gets an organisation's secret; an organisation reads the
 * others' webhooks by the operators' routes.
 * Method: an address that refuses everything, and an operator of each role, by HTTP and by the real command.
 */
import { randomUUID } from 'node:crypto';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrg, get, join, type Org, post } from '../support/ask.ts';
import { done, newUser, type User } from '../support/cli.ts';
import { createOperatorKey, type TestOperator } from '../support/operators.ts';

// Nothing listens there: every delivery fails.
const url = 'https://127.1.0.9:4443/trust';

let user: User;
let org: Org;
let other: Org;
let viewer: TestOperator;
let operator: TestOperator;
let webhookId: string;
let secret: string;
beforeAll(async () => {
  user = await newUser();
  [org, other] = [await createOrg(), await createOrg()];
  [viewer, operator] = [await createOperatorKey('viewer'), await createOperatorKey('operator')];
  await join(org.key);
  const made = await post('/org/webhooks', { url }, org.key);
  [webhookId, secret] = [String(made.body['webhook_id']), String(made.body['secret'])];
});
afterAll(() => user.stop());

const orgIdOf = async ({ name }: Org): Promise<string> =>
  String((await get(`/organisation?org_name=${name}`)).body['org_id']);
const one = (more: string): string => `/ops/webhooks/${webhookId}/${more}`;

it('a viewer sees the webhooks of all organisations, without their secrets', async () => {
  const orgId = await orgIdOf(org);
  const listed = await get(`/ops/webhooks?org_id=${orgId}`, viewer.auth);
  expect(listed.list).toMatchObject([{ webhook_id: webhookId, org_id: orgId, url, status: 'active' }]);
  expect(listed.text).not.toContain(secret);
  expect((await get(`/ops/webhooks?org_id=${await orgIdOf(other)}`, viewer.auth)).list).toEqual([]);
  const all = await get('/ops/webhooks?limit=500', viewer.auth);
  expect(all.list.map(({ webhook_id: id }) => id)).toContain(webhookId);
  const pending = all.list.map((hook) => Number(hook['pending']));
  expect(pending).toEqual(pending.toSorted((a, b) => b - a));
});

it('an operator has messages sent again, in its own name, and sees what waits', async () => {
  const replayed = await post(one('replay'), { from_position: '0' }, operator.auth);
  expect([replayed.status, replayed.body]).toEqual([
    200,
    { webhook_id: webhookId, from_position: '0', requested_at: expect.any(String) as string },
  ]);
  await waitFor(async () => (await get(one('deliveries'), viewer.auth)).list.length > 0);
  const [event] = (await get('/ops/events?type=WebhookReplayRequested&order=desc&limit=1', viewer.auth)).list;
  expect(JSON.stringify(event)).toContain(operator.name);
});

it('is for operators, of the role that it needs, and for webhooks that there are', async () => {
  const asViewer = await post(one('replay'), { from_position: '0' }, viewer.auth);
  expect([asViewer.status, asViewer.body['code']]).toEqual([403, 'operator_role_too_low']);
  for (const path of ['/ops/webhooks', one('deliveries')]) {
    expect([path, (await get(path)).status]).toEqual([path, 401]);
    expect([path, (await get(path, org.key)).status]).toEqual([path, 401]);
  }
  const unknown = `/ops/webhooks/${randomUUID()}`;
  expect((await get(`${unknown}/deliveries`, viewer.auth)).body['code']).toBe('webhook_not_found');
  const replay = await post(`${unknown}/replay`, { from_position: '0' }, operator.auth);
  expect([replay.status, replay.body['code']]).toEqual([404, 'webhook_not_found']);
  expect((await post(one('replay'), { from_position: '99999999999999' }, operator.auth)).status).toBe(422);
});

it('the command lists them, and has one replayed', async () => {
  const as = { env: { AGENT_TRUST_OPERATOR_KEY: operator.key } };
  const listed = await done(user.run(['ops', 'webhooks', '--org', await orgIdOf(org)], as));
  expect(listed.stdout).toMatch(/WEBHOOK +ORGANISATION +STATUS/u);
  expect(listed.stdout).toContain(webhookId);
  const replayed = await done(user.run(['ops', 'replay-webhook', webhookId, '--from', '0'], as));
  expect(replayed.stdout).toContain(`${webhookId} is sent everything from position 0 on.`);
  expect((await user.run(['ops', 'replay-webhook', webhookId], as)).code).toBe(2);
});
