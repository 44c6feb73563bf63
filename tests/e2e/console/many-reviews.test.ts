/**
 * Bug: the page of an agent shows the newest reviews and no more, or pages that a new review moves, so that one is left out or shown twice. Method: a
 * registry of its own, to whose log the test appends hundreds of reviews.
 */
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilProjected } from '../../bench/until-projected.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { appendStreams } from '../../support/history.ts';
import { unique } from '../../support/registry.ts';
import { makeAgents, makeReviews } from '../../support/score-changes.ts';

const agentId = 'much-reviewed';
const reviewerIds = ['first-reviewer', 'second-reviewer'];

let stack: Stack;
let log: EventLog;
beforeAll(async () => {
  stack = await startStack({ ephemeral: true, fsync: false, env: { ...process.env, CONSOLE: 'on' } });
  log = await openEventLog(stack.postgresUrl ?? '');
  await appendStreams(log, makeAgents({ agentIds: [agentId, ...reviewerIds], organisation: null }));
});
afterAll(async () => {
  await log?.close();
  await stack?.stop();
});

/** Appends reviews of the agent, and waits until the registry shows them. Returns the position of the last one. */
const append = async (count: number): Promise<bigint> => {
  const made = makeReviews({ seed: 1, count, prefix: unique('reviews'), agentIds: [agentId], reviewerIds });
  const { position } = await appendStreams(log, made);
  await untilProjected(stack, position);
  return position;
};

describeConsole(
  'the page of an agent with many reviews',
  (console) => {
    it('goes back through many reviews, of one moment: none is left out or shown twice, whatever comes meanwhile', async () => {
      const early = await append(250);
      await append(155);

      const visit = await console.visit(`/agents/${agentId}`, { widthPx: 360, provokes: [/503/u] });
      const { page } = visit;
      const pages = page.getByRole('navigation', { name: 'Pages of the reviews' });
      const [older, newer] = [
        pages.getByRole('button', { name: 'Older reviews' }),
        pages.getByRole('button', { name: 'Newer reviews' }),
      ];
      const shownAt = async (status: string, caption: string): Promise<string[]> => {
        await pages.getByText(status, { exact: true }).waitFor();
        const table = page.getByRole('table', { name: caption, exact: true });
        return table.getByRole('button', { name: 'Check the receipt of exchange' }).allTextContents();
      };
      const newest = await shownAt('Reviews 1 to 200 of 405', 'The newest 200 of 405 reviews');
      expect(await newer.isDisabled()).toBe(true);
      await older.focus();
      await page.keyboard.press('Enter');
      const second = await shownAt('Reviews 201 to 400 of 405', 'Reviews 201 to 400 of 405, newest first');
      expect(await older.and(page.locator(':focus')).count()).toBe(1);
      // Each shows what it says, as the newest do.
      expect(await page.getByRole('cell', { name: /^\d+ of 10, (?:success|failure)$/u }).count()).toBe(200);
      // A page that cannot be read leaves the one before where it is.
      await page.route('**/trust?*offset=400*', (route) =>
        route.fulfill({ status: 503, json: { code: 'overloaded', detail: 'too busy', request_id: 'r-503' } }),
      );
      await older.click();
      await page.getByRole('alert').waitFor();
      expect(await shownAt('Reviews 201 to 400 of 405', 'Reviews 201 to 400 of 405, newest first')).toEqual(second);
      await page.unroute('**/trust?*offset=400*');
      await append(1);
      await page.getByRole('button', { name: 'Try again' }).click();
      const third = await shownAt('Reviews 401 to 405 of 405', 'Reviews 401 to 405 of 405, newest first');
      expect(await older.isDisabled()).toBe(true);
      expect([newest.length, second.length, third.length]).toEqual([200, 200, 5]);
      expect(new Set([...newest, ...second, ...third]).size).toBe(405);
      expect(await visit.axe()).toEqual([]);
      expect(await visit.overflowPx()).toBe(0);
      await newer.click();
      expect(await shownAt('Reviews 201 to 400 of 405', 'Reviews 201 to 400 of 405, newest first')).toEqual(second);
      // The newest are those of now.
      await newer.click();
      await shownAt('Reviews 1 to 200 of 406', 'The newest 200 of 406 reviews');
      expect(await newer.isDisabled()).toBe(true);

      // The slider's moment: what came after it is on no page.
      await visit.goTo(`/agents/${agentId}?as_of=${early}`);
      await shownAt('Reviews 1 to 200 of 250', 'The newest 200 of 250 reviews');
      await older.click();
      const oldest = await shownAt('Reviews 201 to 250 of 250', 'Reviews 201 to 250 of 250, newest first');
      expect(oldest).toHaveLength(50);
      expect([...second, ...third]).toEqual(expect.arrayContaining(oldest));
      await page.getByRole('button', { name: 'Back to now' }).click();
      await shownAt('Reviews 1 to 200 of 406', 'The newest 200 of 406 reviews');
    });
  },
  () => stack.url,
);
