/**
 * The way of somebody who has just run `npm start`: the link that signs in, the demo, a score explained two clicks later, and the requests of the home
 * page. Method: a registry of its own with what `npm start` opens beside it, a browser, and a shell. `npm run screenshots` makes the pictures of the
 * README by it.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { openSupervisor, type Supervisor } from '@agent-trust/dev-stack/supervisor';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeConsole } from '../../support/console/console-tests.ts';
import { httpTo } from '../../support/registry.ts';

/** The demo rests for half a second after each of about thirty steps. */
const demoMsMax = 90_000;
/** The page asks every 15 seconds, and the registry puts its answer together every 10. */
const movedMsMax = 60_000;
const priorOfUnaffiliated = 40;
/** Eight requests, most of which take milliseconds. */
const requestsMsMax = 90_000;

let stack: Stack;
let supervisor: Supervisor;
beforeAll(async () => {
  stack = await startStack({ ephemeral: true, fsync: false, env: { ...process.env, CONSOLE: 'on' } });
  supervisor = await openSupervisor(stack);
});
afterAll(async () => {
  await supervisor?.stop();
  await stack?.stop();
});

/** Waits until the page, which asks now and then, shows where the demo left an agent among those that moved this way. */
const moved = async (page: Page, title: 'Rising' | 'Falling', agent: RegExp): Promise<void> => {
  const row = page.getByRole('region', { name: title, exact: true }).getByRole('row', { name: agent });
  await row.waitFor();
  const [agentId = ''] = await row.locator('th').allTextContents();
  const { trust_score: score } = (await httpTo(stack.url).post('/verify', { agent_id: agentId })).body;
  const scores = async (): Promise<number[]> =>
    (await row.locator('td').allTextContents()).map((text) => Number.parseInt(text, 10));
  await expect.poll(scores, { timeout: movedMsMax }).toEqual([priorOfUnaffiliated, score]);
  expect(Number(score) > priorOfUnaffiliated).toBe(title === 'Rising');
};

describeConsole(
  'the console for a newcomer',
  (console) => {
    it('says what this is, plays the demo, and explains a score two clicks later', async () => {
      const visit = await console.visit(`/#code=${supervisor.makeCode()}`);
      const { page } = visit;
      await page.getByText('Nothing has happened in the last days').waitFor();
      await visit.photograph('home-empty');
      await page.getByRole('button', { name: 'Play the demo' }).click();
      await page.getByRole('button', { name: 'The demo plays…' }).waitFor();
      await page.getByText('The demo is over.').waitFor({ timeout: demoMsMax });
      await page.getByRole('img', { name: /^Scores of the agents/u }).waitFor();
      await page.getByRole('table', { name: 'Newest agents with an endpoint' }).waitFor();
      await moved(page, 'Rising', /^corner-shop/u);
      await moved(page, 'Falling', /^ruin-quotes/u);
      await visit.photograph('home-demo');
      await page.evaluate('scrollTo(0, 0)');
      await visit.showcase('home');

      // The one whose score has moved most.
      const steps = page.getByRole('list', { name: 'Steps of the demo' });
      await steps
        .getByRole('link', { name: /^corner-shop/u })
        .last()
        .click();
      const why = page.getByRole('heading', { name: 'Why this score' });
      await why.waitFor();
      await page.getByRole('img', { name: /^The score over time/u }).waitFor();
      const parts = page.getByRole('table', { name: /^Parts of the score/u });
      expect(await parts.getByRole('row').count()).toBeGreaterThan(2);
      // Who that is, where a root is an identifier of an organisation.
      await parts.getByText(/^initech-buyer/u).waitFor();
      expect(await visit.axe()).toEqual([]);
      await page.evaluate(
        "[...document.querySelectorAll('h2')].find(({ textContent }) => textContent === 'Why this score').scrollIntoView()",
      );
      await visit.showcase('agent');
    });

    it('answers the five requests as the home page says', async () => {
      const { page } = await console.visit('/');
      const title = (number: number): Promise<string | null> =>
        page
          .getByRole('listitem')
          .filter({ has: page.getByRole('region', { name: `Request ${number}` }) })
          .locator('p')
          .textContent();
      await page.getByRole('region', { name: 'Request 5' }).waitFor();
      const requests = await page.getByRole('region', { name: /^Request \d$/u }).allTextContents();
      const { stdout } = await promisify(execFile)('bash', ['-uc', requests.join('\n')], {
        env: { PATH: process.env['PATH'], ADMIN_KEY: stack.adminKey },
        timeout: requestsMsMax,
      });
      const answers = stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(answers).toMatchObject([
        { trust_score: 40, recommended_action: 'abort' },
        { transaction_id: expect.any(String) },
        { trust_score: 44 },
      ]);
      expect(await title(3)).toContain('Not yet: 40, abort.');
      expect(await title(5)).toContain('The answer has the new score: 44 in a new registry.');
    });
  },
  () => stack.url,
);
