/**
 * Bug: while the registry takes its time, a page is empty, asks again and again, sends a write twice, or keeps the reader from leaving. Method:
 * answers that the test holds back until it has looked.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createOrg, join, type Org, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';

/** Longer than an agent's page waits before it asks again, and much shorter than it waits for one answer. */
const whileMs = 6_000;
/** Longer than any page waits for one. */
const tooLongMs = 16_000;

/** Holds back answers to an address, until it is let go. */
const holdBack = (address: string): { before: (page: Page) => Promise<unknown>; letGo: () => void } => {
  const held = Promise.withResolvers<void>();
  return {
    letGo: () => held.resolve(),
    before: (page) =>
      page.route(address, async (route) => {
        await held.promise;
        // A page that was left does not wait for it any more.
        await route.continue().catch(() => undefined);
      }),
  };
};

let org: Org;
beforeAll(async () => {
  org = await createOrg();
  await join(org.key, { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] });
});

describeConsole('the console of a slow registry', (console) => {
  it('says what it waits for, and asks once', async () => {
    const slow = holdBack('**/registry?limit=*');
    const visit = await console.visit('/registry', slow);
    const { page, asked } = visit;
    await page.getByRole('status').filter({ hasText: 'Loading agents…' }).waitFor();
    expect(await visit.axe()).toEqual([]);
    expect(await page.getByRole('table').count()).toBe(0);
    slow.letGo();
    await page.getByRole('table', { name: 'Agents with an endpoint, most trusted first' }).waitFor();
    expect(await page.getByText('Loading agents…').count()).toBe(0);
    expect(asked).toEqual(['GET /registry?limit=50&offset=0']);
  });

  it.each([
    {
      name: 'Home',
      as: 'nobody',
      slowly: ['**/activity*'],
      awaits: ['what happened lately'],
      noAnswer: ['Nothing has happened in the last days'],
      shown: [{ role: 'table', name: 'Newest agents with an endpoint' }],
    },
    {
      name: 'Audit',
      as: 'operator',
      slowly: ['**/ops/events?*'],
      awaits: ['events'],
      noAnswer: ['No event has all of this'],
      shown: [{ role: 'table', name: 'Events, newest first' }],
    },
    {
      name: 'System',
      as: 'operator',
      slowly: ['**/ops/status', '**/ops/rates', '**/ops/replays'],
      awaits: ['the state of the installation', 'what was counted', 'replays'],
      noAnswer: ['All is well.', 'Nobody has replayed the read models of this registry yet.'],
      shown: [
        { role: 'table', name: 'Instances that have answered' },
        { role: 'img', name: /^Calls, verifies and refusals/u },
      ],
    },
    {
      name: 'Policy lab',
      as: 'operator',
      slowly: ['**/ops/policies'],
      awaits: ['policies'],
      noAnswer: [],
      shown: [
        { role: 'table', name: 'Known policies' },
        { role: 'button', name: 'Take it to the lab' },
      ],
    },
    {
      name: 'Organisation',
      as: 'organisation',
      slowly: ['**/org/**'],
      awaits: ['agents', 'keys', 'usage', 'totals', 'payments', 'webhooks'],
      noAnswer: ['The organisation has no agents here.', 'No named key.', 'No webhook.'],
      shown: [
        { role: 'table', name: "The organisation's agents" },
        { role: 'img', name: 'Calls, reads and registrations of each day' },
      ],
    },
  ] as const)('says on the page $name what it waits for, and fills it in', async (page) => {
    const visit = await console.visit('/registry');
    if (page.as === 'operator') await console.signIn(visit, stack.adminToken, "An operator's key or token");
    if (page.as === 'organisation') await console.signIn(visit, org.key['x-api-key'] ?? '');
    const held = page.slowly.map((address) => holdBack(address));
    for (const { before } of held) await before(visit.page);
    const tab = visit.page;
    await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: page.name, exact: true }).click();
    const main = tab.getByRole('main');
    for (const what of page.awaits)
      await main
        .getByRole('status')
        .filter({ hasText: `Loading ${what}…` })
        .waitFor();
    for (const text of page.noAnswer) expect([text, await main.getByText(text).count()]).toEqual([text, 0]);
    for (const { role, name } of page.shown)
      expect([name, await main.getByRole(role, { name }).count()]).toEqual([name, 0]);
    expect(await main.getByRole('alert').count()).toBe(0);

    for (const { letGo } of held) letGo();
    for (const { role, name } of page.shown) await main.getByRole(role, { name }).first().waitFor();
    await expect.poll(() => main.getByText(/^Loading /u).count()).toBe(0);
    const alerts = main.getByRole('alert');
    // A busy machine may have faults of its own, which the system page alone lists.
    const unexpected = page.name === 'System' ? alerts.filter({ hasNot: tab.getByRole('listitem') }) : alerts;
    expect(await unexpected.count()).toBe(0);
  });

  it('lets the reader leave while it waits, and shows the answer on the way back', async () => {
    const slow = holdBack('**/registry?limit=*');
    const { page } = await console.visit('/registry', slow);
    await page.getByText('Loading agents…').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.getByText('Sign in to see events').waitFor();
    slow.letGo();
    await page.goBack();
    await page.getByRole('table', { name: 'Agents with an endpoint, most trusted first' }).waitFor();
    expect(await page.getByText('Loading agents…').count()).toBe(0);
  });

  it('says of an answer that takes too long that there is none, and asks again when told to', async () => {
    const slow = holdBack('**/registry?limit=*');
    const { page } = await console.visit('/registry', {
      before: async (opened) => {
        await opened.clock.install();
        await slow.before(opened);
      },
    });
    await page.getByText('Loading agents…').waitFor();
    await page.clock.fastForward(tooLongMs);
    const alert = page.getByRole('alert').filter({ hasText: 'The registry does not answer.' });
    await alert.waitFor();
    expect(await page.getByText('Loading agents…').count()).toBe(0);
    slow.letGo();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Agents with an endpoint, most trusted first' }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it('asks no second time for what it still waits for, on pages that ask now and then', async () => {
    const { agentId } = await join({});
    const slow = holdBack('**/agent/**');
    const { page, asked } = await console.visit(`/agents/${agentId}`, {
      before: async (opened) => {
        await opened.clock.install();
        await slow.before(opened);
      },
    });
    for (const what of ['the agent', "the score's parts", 'the history'])
      await page.getByText(`Loading ${what}…`).waitFor();
    await page.clock.fastForward(whileMs);
    const answered = page.waitForResponse('**/agent/**');
    slow.letGo();
    await answered;
    const first = asked.filter((request) => request.startsWith('GET /agent/'));
    await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    await page.getByRole('heading', { name: 'History of the score' }).waitFor();
    expect(first.toSorted()).toEqual([
      `GET /agent/${agentId}`,
      `GET /agent/${agentId}/trust/history?offset=0&limit=500`,
      `GET /agent/${agentId}/trust?limit=200`,
    ]);
    // Once there is an answer, it does ask again.
    await Promise.all([
      page.waitForRequest((request) => request.url().endsWith(`/agent/${agentId}`)),
      page.clock.fastForward(whileMs),
    ]);
  });

  it('sends a write once, however often its button is pressed', async () => {
    const slow = holdBack('**/org/keys');
    const visit = await console.visit('/organisation');
    const { page, asked } = visit;
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await page.getByText('No named key.').waitFor();
    await slow.before(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByLabel('Name').fill('slow');
    await dialog.getByRole('button', { name: 'Create' }).dblclick();
    await dialog.getByLabel('Name').press('Enter');
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    slow.letGo();
    await dialog.getByText('It is shown this once').waitFor();
    expect(asked.filter((request) => request === 'POST /org/keys')).toHaveLength(1);
  });
});
