/**
 * Bug: the page says that everything was delivered where a message was given up or a webhook is off, shows what was true before a replay, or
 * another organisation's webhooks. Method: a registry of its own that gives up after three attempts, and an https consumer that answers as the test says.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCheckedStack } from '../../support/checked-stack.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { leave, openAfterEscape, pressAt, signInByKeyboard, typeInto } from '../../support/console/keyboard.ts';
import { createOrganisation, type Http, httpTo, orgKey, registerAgent, unique } from '../../support/registry.ts';
import { type Received, startWebhookConsumer, type WebhookConsumer } from '../../support/webhook-consumer.ts';

const attemptsMax = 3;
/** As long as the registry waits at a consumer's request: longer than any test. */
const retryAfterSeconds = '3600';

let folder: string;
let stack: Stack;
let http: Http;
let consumer: WebhookConsumer;
const secrets = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-webhooks-'));
  writeFileSync(join(folder, 'consumer.crt'), certificate);
  consumer = await startWebhookConsumer((path) => secrets.get(path));
  stack = await startCheckedStack({
    ...process.env,
    CONSOLE: 'on',
    NODE_EXTRA_CA_CERTS: join(folder, 'consumer.crt'),
    OUTBOUND_ALLOW: 'localhost',
    WEBHOOK_ATTEMPTS_MAX: String(attemptsMax),
    WEBHOOK_RETRY_FIRST_MS: '20',
    WEBHOOK_RETRY_LONGEST_MS: '50',
  });
  http = httpTo(stack.url);
});
afterAll(async () => {
  await stack?.stop();
  consumer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Hook = { key: string; path: string; url: string; id: string; agentIds: string[] };

/** An organisation with agents and a webhook that reports on them. */
const hookOf = async (agents: number): Promise<Hook> => {
  const { key } = await createOrganisation(stack);
  const agentIds: string[] = [];
  while (agentIds.length < agents) agentIds.push((await registerAgent(http, { key })).agentId);
  const path = `/${unique('hook')}`;
  const url = `${consumer.url}${path}`;
  const { status, body } = await http.post('/org/webhooks', { url }, orgKey(key));
  expect([status, body]).toEqual([201, body]);
  secrets.set(path, String(body['secret']));
  return { key, path, url, id: String(body['webhook_id']), agentIds };
};
const stateOf = async ({ id, key }: Hook) => (await http.get(`/org/webhooks/${id}`, orgKey(key))).body;
const retire = async ({ key }: Hook, agentId: string | undefined): Promise<void> => {
  expect((await http.post('/retire', { agent_id: agentId }, orgKey(key))).status).toBe(200);
};
const received = ({ path }: Hook): Received[] => consumer.received.filter((one) => one.path === path);

describeConsole(
  'the webhooks of the organisation page',
  (console) => {
    it('show what waits and what was given up, and a replay sends both again', async () => {
      const hook = await hookOf(2);
      const [refused, delayed] = hook.agentIds;
      consumer.answerWith((response, { message }) =>
        message.data.agent_id === refused
          ? response.writeHead(500).end()
          : response.writeHead(503, { 'retry-after': retryAfterSeconds }).end(),
      );
      await retire(hook, refused);
      await waitFor(async () => (await stateOf(hook))['dead_letters'] === 1);
      await retire(hook, delayed);
      await waitFor(async () => {
        const { list } = await http.get(`/org/webhooks/${hook.id}/deliveries?status=pending`, orgKey(hook.key));
        return list[0]?.['attempts'] === 1;
      });
      const [first, last] = [received(hook)[0], received(hook).at(-1)];
      const position = first?.message.data.position ?? '';

      const visit = await console.visit('/organisation', { provokes: [/422/u] });
      const { page } = visit;
      await console.signIn(visit, hook.key);
      const webhooks = page.getByRole('table', { name: 'Each webhook' });
      await webhooks.waitFor();
      const row = webhooks.getByRole('row', { name: hook.url });
      expect(await row.getByRole('cell').allTextContents()).toEqual(['active', '1', '1', 'never', `Open ${hook.url}`]);
      await page.getByRole('button', { name: `Open ${hook.url}` }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Deliveries' });
      const deliveries = dialog.getByRole('table', { name: /^Undelivered/u });
      await deliveries.waitFor();
      await dialog.getByText('Nothing was delivered lately.').waitFor();
      expect(await deliveries.getByRole('rowheader').allTextContents()).toEqual([
        position,
        last?.message.data.position,
      ]);
      const cells = await deliveries.getByRole('cell').allTextContents();
      expect([cells.slice(0, 5), cells.slice(5)]).toEqual([
        ['agent.retired', refused, 'dead letter', String(attemptsMax), 'status_500'],
        ['agent.retired', delayed, 'pending', '1', 'status_503'],
      ]);
      await visit.photograph('organisation-webhooks');
      // A message leads to its event, and back.
      await deliveries.getByRole('link', { name: position, exact: true }).click();
      const event = page.getByRole('dialog', { name: `Event at position ${position}` });
      await event.getByText('AgentRetired').first().waitFor();
      await page.goBack();
      await page.getByRole('button', { name: `Open ${hook.url}` }).click();
      await deliveries.waitFor();

      const from = dialog.getByLabel('Send everything again from position');
      const inFuture = '999999999999999999';
      await from.fill(inFuture);
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').waitFor();
      const answer = await http.post(`/org/webhooks/${hook.id}/replay`, { from_position: inFuture }, orgKey(hook.key));
      const [fault] = answer.body['detail'] as { msg: string }[];
      // The log may have grown between the two.
      expect(await dialog.getByRole('alert').textContent()).toContain(fault?.msg.replace(/\d+$/u, ''));
      expect(received(hook)).toHaveLength(attemptsMax + 1);

      consumer.answerWith((response) => response.writeHead(204).end());
      await from.fill(position);
      await page.keyboard.press('Enter');
      await dialog.getByText('It is sent again, with the same ids').waitFor();
      await waitFor(() => received(hook).length >= attemptsMax + 3);
      expect(
        new Set(
          received(hook)
            .slice(-2)
            .map(({ id }) => id),
        ),
      ).toEqual(new Set([first?.id, last?.id]));
      await dialog.getByText('Everything was delivered.').waitFor();
      const delivered = dialog.getByRole('table', { name: /^Delivered last/u });
      await waitFor(async () => (await delivered.getByRole('rowheader').count()) === 2);
      const taken = await delivered.getByRole('rowheader').allTextContents();
      expect(new Set(taken)).toEqual(new Set([position, last?.message.data.position]));
      expect(await delivered.getByRole('cell', { name: 'agent.retired' }).count()).toBe(2);
      await visit.photograph('organisation-webhook');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await waitFor(async () => {
        const [state, pending, dead, delivered] = await row.getByRole('cell').allTextContents();
        return [state, pending, dead].join() === 'active,0,0' && delivered !== 'never';
      });
      expect(await visit.axe()).toEqual([]);
    });

    it('that a consumer switched off say so, and from where a replay misses nothing', async () => {
      const hook = await hookOf(1);
      consumer.answerWith((response) => response.writeHead(410).end());
      await retire(hook, hook.agentIds[0]);
      await waitFor(async () => (await stateOf(hook))['status'] === 'disabled');
      const position = received(hook)[0]?.message.data.position ?? '';

      const visit = await console.visit('/organisation', { widthPx: 360 });
      const { page } = visit;
      await console.signIn(visit, hook.key);
      const row = page.getByRole('table', { name: 'Each webhook' }).getByRole('row', { name: hook.url });
      await row.getByRole('cell', { name: 'disabled' }).waitFor();
      await row.getByRole('button', { name: `Open ${hook.url}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Deliveries' });
      await dialog.getByText(`from position ${position} on it misses nothing`).waitFor();
      await dialog.getByText('Nothing waits.').waitFor();
      expect(await dialog.getByText('Everything was delivered.').count()).toBe(0);
      expect(await visit.overflowPx()).toBe(0);
      await visit.photograph('organisation-webhooks-narrow');

      consumer.answerWith((response) => response.writeHead(204).end());
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await waitFor(() => received(hook).length >= 2);
      expect(received(hook)[1]?.id).toBe(received(hook)[0]?.id);
      await dialog.getByText('Everything was delivered.').waitFor();
      expect(await dialog.getByText('nothing is sent any more').count()).toBe(0);
    });

    it('are replayed by keyboard alone', async () => {
      const hook = await hookOf(1);
      consumer.answerWith((response) => response.writeHead(204).end());
      await retire(hook, hook.agentIds[0]);
      await waitFor(async () => (await stateOf(hook))['last_delivered_at'] !== null);
      const [first] = received(hook);

      const { page } = await console.visit('/organisation');
      await signInByKeyboard(page, hook.key);
      await page.getByRole('button', { name: `Open ${hook.url}` }).waitFor();
      const dialog = await openAfterEscape(page, `Open ${hook.url}`, 'Deliveries');
      await dialog.getByText('Everything was delivered.').waitFor();
      const from = dialog.getByLabel('Send everything again from position');
      await typeInto(page, from, first?.message.data.position ?? '');
      await pressAt(page, dialog.getByRole('button', { name: 'Replay' }));
      await dialog.getByText('It is sent again, with the same ids').waitFor();
      await waitFor(() => received(hook).length === 2);
      expect(received(hook)[1]?.id).toBe(first?.id);
      await leave(page, dialog);
      await page
        .getByRole('button', { name: `Open ${hook.url}` })
        .and(page.locator(':focus'))
        .waitFor();
    });

    it("are the organisation's own, and of production alone", async () => {
      const hook = await hookOf(0);
      const other = await createOrganisation(stack);
      const visit = await console.visit('/organisation');
      const { page } = visit;
      await console.signIn(visit, other.key);
      await page.getByText('No webhook.').waitFor();
      expect(await page.content()).not.toContain(hook.url);
      await console.signIn(visit, other.sandboxKey);
      await page.getByLabel('Universe').selectOption('Sandbox');
      await page.getByRole('heading', { name: 'Agents in the sandbox' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Webhooks' }).count()).toBe(0);
    });
  },
  () => stack.url,
);
