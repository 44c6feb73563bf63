/** What an organisation has, in a real browser: agents and their moves, keys that are shown once, usage, payments, webhooks. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { createOrg, get, join, stack } from '../../support/ask.ts';
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

  it('shows payments with totals, and links to the explorer of a chain that one is configured for', async () => {
    const org = await createOrg();
    const database = new pg.Client({ connectionString: stack.readModelsUrl });
    await database.connect();
    try {
      // Rows inserted by the test: where they come from makes no difference to the page.
      await database.query(
        `INSERT INTO read_models.org_payment (position, org_id, universe, transaction_id, receiver_agent_id, settlement_rail, amount, currency,
           network, payee_address, confirmation_ref, settled_at, recorded_at)
         SELECT -9000 - n, org_id, 'production', org_id || n, 'paid', 'x402', 1.5, 'USDC', network, '0xPayee', reference, now(), now()
         FROM read_models.organisation, (VALUES (1, 'eip155:8453', '0xTx'), (2, 'base', '../login'), (3, 'own-chain', '0xTx')) paid (n, network, reference)
         WHERE org_name = $1`,
        [org.name],
      );
      const visit = await console.visit('/organisation');
      const { page } = visit;
      await console.signIn(visit, keyOf(org.key));
      const payments = page.getByRole('table', { name: 'Each payment, newest first' });
      await payments.waitFor();
      const links = await page.evaluate(
        `[...document.querySelectorAll('td a[target="_blank"]')].map(({ href }) => href)`,
      );
      expect(links).toEqual([
        'https://scan.test/address/0xPayee',
        'https://scan.test/tx/0xTx',
        // What is no reference is text, and so is one of a chain without an explorer.
        'https://scan.test/address/0xPayee',
      ]);
      await payments.getByText('../login').waitFor();
      await page.getByRole('table', { name: 'In all' }).getByRole('cell', { name: '1.5 USDC' }).first().waitFor();
      expect(await visit.axe()).toEqual([]);
    } finally {
      await database.query("DELETE FROM read_models.org_payment WHERE receiver_agent_id = 'paid'");
      await database.end();
    }
  });

  it("changes the organisation's own two keys after a confirmation, and goes on with the new ones", async () => {
    const org = await createOrg();
    const visit = await console.visit('/organisation', { provokes: [/409/u] });
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    await console.signIn(visit, keyOf(org.sandboxKey));
    const statusOf = async (key: string): Promise<number> => (await get('/org/whoami', orgKey(key))).status;
    const change = async (button: string, title: string, action: string): Promise<string> => {
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.getByText(/It is shown this once|It works nowhere any more|sandbox_key_exists/u).waitFor();
      const [secret = ''] = await dialog.locator('code').allTextContents();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(secret.startsWith('registry-') && (await page.content()).includes(secret)).toBe(false);
      expect(await visit.stored()).not.toContain('registry-');
      return secret;
    };

    await page.getByRole('button', { name: 'Replace the production key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(await statusOf(keyOf(org.key))).toBe(200);
    const production = await change('Replace the production key', 'Replace the production key?', 'Replace');
    expect([await statusOf(keyOf(org.key)), await statusOf(production)]).toEqual([401, 200]);
    await page.getByText('The organisation has no agents here.').waitFor();

    await change('Create the sandbox key', 'Create a sandbox key?', 'Create');
    expect(await statusOf(keyOf(org.sandboxKey))).toBe(200);
    const replaced = await change('Replace the sandbox key', 'Replace the sandbox key?', 'Replace');
    expect([await statusOf(keyOf(org.sandboxKey)), await statusOf(replaced)]).toEqual([401, 200]);
    await page.getByLabel('Universe').selectOption('Sandbox');
    await page.getByRole('heading', { name: 'Agents in the sandbox' }).waitFor();
    await page.getByText('The organisation has no agents here.').waitFor();
    await change('Revoke the sandbox key', 'Revoke the sandbox key?', 'Revoke');
    expect(await statusOf(replaced)).toBe(401);
    // The tab has let go of it.
    await page.getByRole('heading', { name: 'Agents in production' }).waitFor();
    const created = await change('Create the sandbox key', 'Create a sandbox key?', 'Create');
    expect(await statusOf(created)).toBe(200);
    expect(await visit.axe()).toEqual([]);
  });

  it('shows a new key even if the registry cannot say whether it works: nobody would see it again', async () => {
    const org = await createOrg();
    const secret = `registry-org-sk-${'x'.repeat(43)}`;
    const visit = await console.visit('/organisation', {
      provokes: [/503/u],
      before: (page) =>
        page.route('**/org/rotate-key', (route) =>
          route.fulfill({
            status: 503,
            json: { detail: 'keep both', code: 'unavailable', request_id: 'r-1', api_key: secret },
          }),
        ),
    });
    await console.signIn(visit, keyOf(org.key));
    await visit.page.getByRole('button', { name: 'Replace the production key' }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Replace the production key?' });
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.textContent()).toContain(secret);
  });
});
