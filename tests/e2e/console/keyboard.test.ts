/**
 * Bug: what a page is for can be done by mouse alone: a control that Tab does not reach, a focus that nobody sees or that is lost when the page is drawn
 * again. Method: no click; every control is reached by Tab from where the reader is.
 */
import { expect, it } from 'vitest';
import { createOrg, join, keepingNames, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { signInByKeyboard, tabTo } from '../../support/console/keyboard.ts';
import { unique } from '../../support/registry.ts';

describeConsole('the console by keyboard alone', (console) => {
  it('finds who fits a task, and opens the first', async () => {
    const org = await createOrg();
    const capability = unique('joinery').replaceAll('-', '_');
    const { agentId } = await join(
      org.key,
      keepingNames({ endpoint_url: 'https://agents.test/hook', http_methods: ['POST'], capabilities: [capability] }),
    );
    const { page } = await console.visit('/registry');
    // The page loads its list meanwhile: the focus stays where it was put.
    await tabTo(page, page.getByRole('textbox', { name: 'Capabilities' }));
    await page.keyboard.type(capability);
    await tabTo(page, page.getByRole('textbox', { name: 'Organisation' }));
    await page.keyboard.type(org.name);
    const find = page.getByRole('button', { name: 'Find' });
    await tabTo(page, find);
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: /^The best and only match/u });
    await table.waitFor();
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('capability'), asked.get('org')]).toEqual([capability, org.name]);
    expect(await find.and(page.locator(':focus')).count()).toBe(1);

    await tabTo(page, table.getByRole('rowheader').getByRole('link', { name: agentId }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: agentId }).waitFor();
    await page.locator('main#content:focus').waitFor();
  });

  it('moves between the agents and the capabilities by arrow keys', async () => {
    const { page } = await console.visit('/registry');
    const tab = (name: string) => page.getByRole('tab', { name });
    await tabTo(page, tab('Agents'));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Known capabilities' }).waitFor();
    expect(await tab('Capabilities').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('table', { name: 'Agents with an endpoint, most trusted first' }).waitFor();
    expect(await tab('Agents').and(page.locator(':focus')).count()).toBe(1);
  });

  it('signs in, finds events by filters, opens one, and comes back to it', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const { page } = await console.visit('/audit');
    await signInByKeyboard(page, stack.adminToken, 'operator');

    await tabTo(page, page.getByLabel('Kinds'));
    await page.keyboard.type('AgentRegistered');
    await tabTo(page, page.getByLabel('Agent', { exact: true }));
    await page.keyboard.type(agentId);
    const show = page.getByRole('button', { name: 'Show', exact: true });
    await tabTo(page, show);
    await page.keyboard.press('Space');
    const table = page.getByRole('table', { name: 'Events, newest first' });
    const row = table.getByRole('row').filter({ hasText: `agent-${agentId}` });
    await row.waitFor();
    expect(await table.getByRole('rowheader').count()).toBe(1);
    expect(await show.and(page.locator(':focus')).count()).toBe(1);

    const follow = page.getByLabel('Follow new events');
    await tabTo(page, follow);
    await page.keyboard.press('Space');
    await page.getByText('Following; 0 new.').waitFor();

    const link = row.getByRole('rowheader').getByRole('link');
    await tabTo(page, link);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: /^Event at position/u });
    await panel.getByRole('region', { name: 'Data of the event' }).waitFor();
    await tabTo(page, panel.getByRole('button', { name: 'Check that it is in the log' }));
    await page.keyboard.press('Enter');
    await panel.getByText('The event is in the signed log.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await link.and(page.locator(':focus')).waitFor();
    // Back to the filters, against the order of the page.
    await tabTo(page, page.getByLabel('Kinds'), 'Shift+Tab');
  });
});
