/** The state of the installation in a real browser. */
import { expect, it } from 'vitest';
import { createOrg, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import type { Visit } from '../../support/console/visit.ts';

const operators = "An operator's key or token";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

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
      // On a busy machine, one may answer only when the page asks again.
      const services = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'];
      await expect.poll(() => instances.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(services));
      await page.getByRole('img', { name: /^Calls, verifies and refusals/u }).waitFor();
      await page.getByRole('img', { name: /positions the read models were behind/u }).waitFor();
      await visit.loaded();
      expect(await visit.overflowPx()).toBe(0);
      return visit;
    };
    await (await filled(1280)).photograph('system');
    await (await filled(360)).photograph('system-narrow');
  });

  it('puts faults first', async () => {
    const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
    const poison = { position: '4711', message: '<b>is unknown</b>', instance_id: 'trust-projection-1' };
    const checkpoint = {
      size: 4_321,
      signed_at: ago(3.5 * dayMs),
      fault: 'the key is another one',
      witnessed_at: null,
    };
    const webhooks = {
      webhooks: 12,
      disabled: 1,
      behind: 0,
      pending: 1_234,
      oldest_pending_at: ago(2.5 * hourMs),
      dead_letters: 5,
    };
    const visit = await console.visit('/system', {
      before: async (page) =>
        page.route('**/ops/status', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.json()) as Record<string, unknown>;
          const faulty = { ...body, services_missing: ['pay-proxy'], poison_event: poison, checkpoint, webhooks };
          await route.fulfill({ response: answer, body: JSON.stringify(faulty) });
        }),
    });
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    // A busy machine may have a fault of its own besides.
    expect(await alert.getByRole('listitem').allTextContents()).toEqual(
      expect.arrayContaining([
        'No instance of pay-proxy has answered.',
        'The read models stopped at position 4711: <b>is unknown</b>.',
        'No checkpoint can be signed: the key is another one.',
        'Dead letters of webhooks: 5.',
      ]),
    );
    const state = page.getByRole('region', { name: 'State', exact: true });
    const facts = state.locator('dl > div');
    expect(await facts.allTextContents()).toEqual(
      expect.arrayContaining([
        'Last checkpoint3 days ago',
        'Events in it4,321',
        'Webhooks12, 1 disabled',
        'Messages that wait1,234',
        'Oldest of them2 hours ago',
      ]),
    );
    const times = facts.filter({ hasText: /^Last checkpoint|^Oldest of them/u }).locator('time');
    expect(await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))).toEqual([
      checkpoint.signed_at,
      webhooks.oldest_pending_at,
    ]);
    expect(await visit.axe()).toEqual([]);
  });

  it('says of what is not known that it is not', async () => {
    const nothing = { checkpoint: null, webhooks: null, witnesses: null, lag_seconds: null };
    const visit = await console.visit('/system', {
      before: async (page) =>
        page.route('**/ops/status', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.json()) as Record<string, unknown>;
          await route.fulfill({ response: answer, body: JSON.stringify({ ...body, ...nothing }) });
        }),
    });
    await console.signIn(visit, stack.adminToken, operators);
    const facts = visit.page.getByRole('region', { name: 'State', exact: true }).locator('dl > div');
    await facts.first().waitFor();
    expect(await facts.allTextContents()).toEqual(
      expect.arrayContaining([
        'Behindunknown',
        'Last checkpointnone',
        'Last witnessedunknown',
        'Webhooksunknown',
        'Messages that waitunknown',
      ]),
    );
    expect(await visit.axe()).toEqual([]);
  });

  it('asks before it replays', async () => {
    const visit = await console.visit('/system');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('button', { name: 'Replay the read models' }).click();
    await page.getByRole('dialog', { name: 'Replay the read models?' }).getByRole('button', { name: 'Close' }).click();
    // A replay of the stack that all tests share would slow the others down; own-registry.test.ts has one to its end.
    await visit.loaded();
    expect(await page.getByRole('progressbar').count()).toBe(0);
    expect(visit.asked.filter((request) => request.startsWith('POST '))).toEqual([]);
  });
});
