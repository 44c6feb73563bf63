/**
 * Bug: a page that asks for all agents, or draws them all, works with the ten of a test and freezes with a hundred thousand. Method: a registry of
 * its own with a market of that size, and what each page asks for and draws, which are counts: a time would depend on the machine.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilProjected } from '../../bench/until-projected.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import type { Visit } from '../../support/console/visit.ts';
import { appendStreams } from '../../support/history.ts';
import { makeMarket, popularCapabilities } from '../../support/market.ts';
import { httpTo } from '../../support/registry.ts';

const prefix = 'large';
const agentCount = 100_000;
/** They come before the agents; calls come after them. */
const orgCount = agentCount / 50;
const streamCount = orgCount + agentCount + 1_000;
/** Half a minute on an idle machine. */
const startedWithinMs = 10 * 60_000;
/** An export of every agent's registration takes a few seconds on an idle machine. */
const exportedWithinMs = 3 * 60_000;

/** What one page may ask for and draw, however many agents there are. A page of 50 agents has about 1,500 elements. */
const requestsMax = 8;
const answerBytesMax = 512 * 1024;
const elementsMax = 6_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ ephemeral: true, fsync: false, env: { ...process.env, CONSOLE: 'on' } });
  const log = await openEventLog(stack.postgresUrl ?? '');
  const market = makeMarket({ seed: 1, agentCount, prefix }).take(streamCount);
  const { position } = await appendStreams(log, market);
  await log.close();
  await untilProjected(stack, position);
}, startedWithinMs);
afterAll(() => stack?.stop());

describeConsole(
  `the console of a registry with ${agentCount} agents`,
  (console) => {
    /** Opens a page, and holds what it asked for and drew once `shown` is there. */
    const visitWithin = async (path: string, shown: (visit: Visit) => Promise<unknown>): Promise<Visit> => {
      const sizes: Promise<number>[] = [];
      const visit = await console.visit(path, {
        before: async (page) =>
          page.on('response', (answer) => {
            if (!answer.url().includes('/console')) sizes.push(answer.body().then(({ length }) => length));
          }),
      });
      await shown(visit);
      // A page that was slow to fill may have looked again at what it follows.
      expect(new Set(visit.asked).size).toBeLessThanOrEqual(requestsMax);
      for (const bytes of await Promise.all(sizes)) expect(bytes).toBeLessThanOrEqual(answerBytesMax);
      const elements = (await visit.page.evaluate("document.querySelectorAll('*').length")) as number;
      expect(elements).toBeLessThanOrEqual(elementsMax);
      return visit;
    };

    it('lists agents by pages, up to the last one', async () => {
      const total = Number((await httpTo(stack.url).get('/registry?limit=1')).headers.get('x-total-count'));
      expect(total).toBeGreaterThan(0.9 * agentCount);
      const { page, asked } = await visitWithin('/registry', ({ page: opened }) =>
        opened.getByText(`1 to 50 of ${total.toLocaleString('en')}`).waitFor(),
      );
      expect(await page.getByRole('rowheader').count()).toBe(50);
      expect(asked).toEqual(['GET /registry?limit=50&offset=0']);
      // The page says whose rows it shows while it waits for others.
      const first = await page.getByRole('rowheader').allTextContents();
      const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/registry?limit=50&offset=50', (route) => isHeld.then(() => route.fallback()));
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Loading other entries…').waitFor();
      expect(await page.getByRole('rowheader').allTextContents()).toEqual(first);
      release();
      await page.getByText(`51 to 100 of ${total.toLocaleString('en')}`).waitFor();
      await expect.poll(() => asked).toEqual(['GET /registry?limit=50&offset=0', 'GET /registry?limit=50&offset=50']);

      const lastFrom = 50 * Math.floor((total - 1) / 50);
      await visitWithin(`/registry?offset=${lastFrom}`, ({ page: last }) =>
        last.getByText(`${lastFrom + 1} to ${total} of ${total.toLocaleString('en')}`).waitFor(),
      );
    });

    it('ranks the best of all that fit, by one request', async () => {
      const [popular] = popularCapabilities;
      const { page, asked } = await visitWithin(`/registry?capability=${popular}`, ({ page: opened }) =>
        opened.getByRole('table', { name: 'The best 50 matches, best first' }).waitFor(),
      );
      expect(asked).toEqual(['POST /match']);
      await page.getByText('Why is this one first?').waitFor();
    });

    it('shows an agent with its history, reviews and counterparties', async () => {
      const { page } = await visitWithin(`/agents/${prefix}-agent-0`, async ({ page: opened }) => {
        await opened.getByRole('heading', { name: 'Counterparties' }).waitFor();
        await opened.getByRole('table', { name: /^Parts of the score/u }).waitFor();
        await opened.getByRole('slider', { name: 'Moment that the page shows' }).waitFor();
        await opened.getByRole('heading', { name: 'History of the score' }).waitFor();
      });
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it('shows the capabilities by pages, and what happened lately', async () => {
      const { page, asked } = await visitWithin('/registry?view=capabilities', async ({ page: opened }) => {
        await opened.locator('summary', { hasText: 'brought by agents' }).click();
        await opened.getByText(/^1 to 50 of /u).waitFor();
      });
      expect(await page.getByRole('rowheader').count()).toBe(50);
      expect(asked).toHaveLength(2);
      await visitWithin('/', async ({ page: home }) => {
        await home.getByRole('heading', { name: 'The main job in five requests' }).waitFor();
        await home.getByRole('table', { name: 'Newest agents with an endpoint' }).waitFor();
      });
    });

    it(
      'exports as many events as a tab may hold, and says of more what else exports them',
      async () => {
        const visit = await console.visit('/audit?type=AgentRegistered');
        const { page } = visit;
        await console.signIn(visit, stack.adminToken, "An operator's key or token");
        const exportButton = page.getByRole('button', { name: 'Export as shown' });
        /** What the page saves, by the type of each event. */
        const exported = async (): Promise<string[]> => {
          const [download] = await Promise.all([
            page.waitForEvent('download', { timeout: exportedWithinMs }),
            exportButton.click(),
          ]);
          const types: string[] = [];
          for await (const line of createInterface({ input: createReadStream(await download.path()) }))
            types.push((JSON.parse(line) as { type: string }).type);
          return types;
        };
        // One for each agent, which is as many as it saves.
        const registrations = await exported();
        expect([registrations.length, new Set(registrations)]).toEqual([agentCount, new Set(['AgentRegistered'])]);

        const kinds = page.getByLabel('Kinds');
        await kinds.fill('AgentRegistered,OrganisationCreated');
        await page.keyboard.press('Enter');
        await page.waitForURL(/OrganisationCreated/u);
        // The export is that of the list, whose links have the filters once it is asked for by them.
        await page.locator('tbody a[href*="OrganisationCreated"]').first().waitFor();
        const downloads: unknown[] = [];
        page.on('download', (download) => downloads.push(download));
        await exportButton.click();
        const refusal = page.getByRole('alert');
        await refusal.waitFor({ timeout: exportedWithinMs });
        expect(await refusal.textContent()).toContain(
          'more than 100,000 events: narrow the filters, or use agent-trust events --export',
        );
        expect(downloads).toEqual([]);

        await kinds.fill('OrganisationCreated');
        await page.keyboard.press('Enter');
        await refusal.waitFor({ state: 'detached' });
        expect(await exported()).toHaveLength(orgCount);
      },
      4 * exportedWithinMs,
    );
  },
  () => stack.url,
);
