/** The state of the installation in a real browser. */
import { expect, it } from 'vitest';
import { createOrg, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import type { Visit } from '../../support/console/visit.ts';

const operators = "An operator's key or token";

describeConsole('the system page', (console) => {
  it('is for operators: nobody else is shown anything', async () => {
    const org = await createOrg();
    const visit = await console.visit('/system');
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await visit.page.getByText("Sign in with an operator's key").waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
  });

  it('shows services, parts, rates and lag, and fits every window', async () => {
    const filled = async (widthPx: number): Promise<Visit> => {
      const visit = await console.visit('/system', { widthPx });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      const instances = page.getByRole('table', { name: 'Instances that have answered' });
      await instances.waitFor();
      const services = await instances.getByRole('cell').allTextContents();
      for (const service of ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'])
        expect(services).toContain(service);
      await page.getByRole('img', { name: /^Calls, verifies and refusals/u }).waitFor();
      await page.getByRole('img', { name: /positions the read models were behind/u }).waitFor();
      expect(await visit.overflowPx()).toBe(0);
      return visit;
    };
    await (await filled(1280)).photograph('system');
    await (await filled(360)).photograph('system-narrow');
  });

  it('puts faults first', async () => {
    const visit = await console.visit('/system', {
      before: async (page) =>
        page.route('**/ops/status', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.json()) as Record<string, unknown>;
          await route.fulfill({ response: answer, body: JSON.stringify({ ...body, services_missing: ['pay-proxy'] }) });
        }),
    });
    await console.signIn(visit, stack.adminToken, operators);
    await visit.page.getByRole('alert').waitFor();
    expect(await visit.page.getByRole('alert').textContent()).toContain('No instance of pay-proxy has answered.');
    expect(await visit.axe()).toEqual([]);
  });

  it('asks before it replays', async () => {
    const visit = await console.visit('/system');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('button', { name: 'Replay the read models' }).click();
    await page.getByRole('dialog', { name: 'Replay the read models?' }).getByRole('button', { name: 'Close' }).click();
    // A replay of the stack that all tests share would slow the others down; own-registry.test.ts has one to its end.
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });
});
