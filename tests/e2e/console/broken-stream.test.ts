/**
 * Bug: while new events are followed, the connection breaks, and the page says that it follows, loses the events of the meantime, or shows one twice.
 * Method: a proxy before the gateway that resets connections and refuses new ones, while the test goes on writing past it.
 */
import { faultProxy, type FaultProxy } from '@agent-trust/test-kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adminToken, createOrg, get, join, type Member, post, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';

const operators = "An operator's key or token";
/** A stream that broke, and attempts to open it again. */
const brokenStream = /\/ops\/events\?\S*follow=true/u;

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await faultProxy(stack.bareUrls[0] ?? '');
});
afterAll(() => proxy.close());

const change = async ({ agentId, auth }: Member, specialty: string): Promise<void> => {
  expect((await post('/update', { agent_id: agentId, specialty }, auth)).status).toBe(200);
};
/** Positions of the events of an agent, as the log has them, newest first. */
const positionsOf = async (agentId: string): Promise<string[]> => {
  const { list } = await get(`/ops/events?agent_id=${agentId}&order=desc&limit=50`, adminToken);
  return list.map(({ position }) => String(position));
};

describeConsole(
  'the console whose connection breaks',
  (console) => {
    // A test that fails leaves no broken connection to the next.
    beforeEach(() => proxy.accept());

    it('says so, and shows each event of the meantime once when it follows again', async () => {
      const agent = await join((await createOrg()).key);
      const visit = await console.visit(`/audit?agent_id=${agent.agentId}`, { provokes: [brokenStream] });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      const table = page.getByRole('table', { name: 'Events, newest first' });
      await table.waitFor();
      const follows = (events: number): Promise<void> => page.getByText(`Following; ${events} new.`).waitFor();
      await page.getByLabel('Follow new events').check();
      await follows(0);
      await change(agent, 'before the break');
      await follows(1);

      proxy.refuse();
      proxy.cut();
      await page.getByText('The stream broke; it is opened again.').waitFor();
      // More than one: they come together when the stream is open again.
      for (const specialty of ['first', 'second', 'third']) await change(agent, `${specialty} while it is broken`);
      proxy.accept();
      await follows(4);

      // A connection that breaks while a new one is accepted, as behind a load balancer.
      proxy.cut();
      await change(agent, 'after another break');
      await follows(5);
      expect(await table.getByRole('rowheader').allTextContents()).toEqual(await positionsOf(agent.agentId));
      expect(await visit.axe()).toEqual([]);
    });

    it('keeps the page of an agent current', async () => {
      const agent = await join((await createOrg()).key, { specialty: 'carpets' });
      const visit = await console.visit(`/agents/${agent.agentId}`, { provokes: [brokenStream, /\/agent\//u] });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      await page.getByText('carpets').first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      proxy.refuse();
      proxy.cut();
      await page.getByText('Connecting again…').waitFor();
      await change(agent, 'curtains');
      proxy.accept();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('curtains').first().waitFor();
      expect(await page.getByText('carpets').count()).toBe(0);
      // What failed meanwhile is asked for again, and then no error stands there.
      await expect.poll(() => page.getByRole('alert').count(), { timeout: 60_000 }).toBe(0);
    });
  },
  () => proxy.url,
);
