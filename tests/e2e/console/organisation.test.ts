/** What an organisation has, in a real browser: agents and their moves, keys that are shown once, usage, payments, webhooks. */
import { expect, it } from 'vitest';
import { createOrg, get, join } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { orgKey } from '../../support/registry.ts';

const keyOf = (headers: Record<string, string>): string => headers['x-api-key'] ?? '';
const routable = { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] };

describeConsole('the organisation page', (console) => {
  it('shows nothing without a key of an organisation', async () => {
    const visit = await console.visit('/organisation');
    await visit.page.getByText('Sign in with a key of your organisation.').waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
  });

  it('shows own agents alone, and withdraws and publishes one after a confirmation', async () => {
    const [org, other] = [await createOrg(), await createOrg()];
    const { agentId } = await join(org.key, routable);
    const foreign = await join(other.key, routable);
    const visit = await console.visit('/organisation');
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    const table = page.getByRole('table', { name: "The organisation's agents" });
    await table.waitFor();
    expect(await table.getByRole('rowheader').allTextContents()).toEqual([agentId]);
    expect(await page.content()).not.toContain(foreign.agentId);
    // Moves need the sandbox key.
    expect(await table.getByRole('button').count()).toBe(0);
    expect(await visit.axe()).toEqual([]);

    await console.signIn(visit, keyOf(org.sandboxKey));
    await page.getByRole('button', { name: `Withdraw ${agentId}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw this agent?' });
    expect((await get(`/agent/${agentId}`)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Done.').waitFor();
    expect((await get(`/agent/${agentId}`)).status).toBe(404);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByLabel('Universe').selectOption('Sandbox');
    await page.getByRole('button', { name: `Publish ${agentId}` }).click();
    const publish = page.getByRole('dialog', { name: 'Publish this agent?' });
    await publish.getByRole('button', { name: 'Confirm' }).click();
    await publish.getByText('Done.').waitFor();
    expect((await get(`/agent/${agentId}`)).status).toBe(200);
  });

  it('shows what a promotion changes before it is made', async () => {
    const org = await createOrg();
    const live = await join(org.key, { ...routable, specialty: 'quotes' });
    const draft = await join(org.sandboxKey, { clone_from_agent_id: live.agentId, specialty: 'better quotes' });
    const visit = await console.visit('/organisation');
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    await console.signIn(visit, keyOf(org.sandboxKey));
    await page.getByLabel('Universe').selectOption('Sandbox');
    await page.getByRole('button', { name: `Promote ${draft.agentId}` }).click();
    const changes = page.getByRole('table', { name: 'What changes' });
    await changes.waitFor();
    expect(await changes.getByRole('row').nth(1).allTextContents()).toEqual(['Specialtyquotesbetter quotes']);
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByText('Done.').waitFor();
    expect((await get(`/agent/${live.agentId}`)).body['specialty']).toBe('better quotes');
  });

  it('creates a key that is shown once and works, and revokes it', async () => {
    const org = await createOrg();
    const visit = await console.visit('/organisation', { widthPx: 360, theme: 'dark' });
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByLabel('Name').fill('billing');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('It is shown this once').waitFor();
    const secret = (await dialog.locator('code').first().textContent()) ?? '';
    expect((await get('/org/whoami', orgKey(secret))).status).toBe(200);
    expect(await visit.overflowPx()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(secret);
    expect(await visit.stored()).not.toContain(secret);

    await page.getByRole('button', { name: 'Revoke billing' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke billing?' });
    expect((await get('/org/whoami', orgKey(secret))).status).toBe(200);
    await revoke.getByRole('button', { name: 'Revoke', exact: true }).click();
    await revoke.getByText('It works nowhere any more.').waitFor();
    expect((await get('/org/whoami', orgKey(secret))).status).toBe(401);
    expect(await visit.axe()).toEqual([]);
    await visit.screenshot('organisation');
  });
});
