/** What an organisation has, in a real browser: agents, their moves and clones, keys that are shown once, usage, payments. */
import type { OrgUsage } from '@agent-trust/client';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import {
  adminToken,
  ask,
  call,
  createOrg,
  get,
  join,
  post,
  redeem,
  stack,
  tokenOf,
  verify,
} from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { createFirstBuyer, createSecondBuyer } from '../../support/payments/buyers.ts';
import { networks, startFacilitator } from '../../support/payments/facilitator.ts';
import { payTo, price, startFirstSeller, startSecondSeller } from '../../support/payments/sellers.ts';
import { startRecordingAgent } from '../../support/recording-agent.ts';
import { orgKey, textMessage, unique } from '../../support/registry.ts';

const keyOf = (headers: Record<string, string>): string => headers['x-api-key'] ?? '';
const routable = { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] };

describeConsole('the organisation page', (console) => {
  it('shows nothing without a key of an organisation', async () => {
    const visit = await console.visit('/organisation');
    await visit.page.getByText('Sign in with a key of your organisation.').waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
    await console.signIn(visit, keyOf((await createOrg()).sandboxKey));
    await visit.page.getByText('You hold a sandbox key: choose Sandbox').waitFor();
    await visit.page.getByLabel('Universe').selectOption('Sandbox');
    await visit.page.getByRole('heading', { name: 'Agents in the sandbox' }).waitFor();
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
    const { trust_score: score } = (await verify(agentId)).body;
    const effects = async (of: typeof dialog): Promise<string[]> => {
      const table = of.getByRole('table', { name: 'What changes' });
      await table.waitFor();
      return (await table.getByRole('row').allTextContents()).slice(1);
    };
    const kept = [
      `Id${agentId}the same`,
      `Endpoint${routable.endpoint_url}the same`,
      `Trust score${String(score)}the same`,
    ];
    const withdrawn = await effects(dialog);
    expect(withdrawn).toEqual(expect.arrayContaining(kept));
    expect(withdrawn[0]).toBe('Who sees iteverybodyonly your organisation, with its sandbox key');
    expect(await visit.axe()).toEqual([]);
    expect((await get(`/agent/${agentId}`)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Done.').waitFor();
    expect((await get(`/agent/${agentId}`)).status).toBe(404);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByLabel('Universe').selectOption('Sandbox');
    await page.getByRole('button', { name: `Publish ${agentId}` }).click();
    const publish = page.getByRole('dialog', { name: 'Publish this agent?' });
    const published = await effects(publish);
    expect(published).toEqual(expect.arrayContaining(kept));
    expect(published[0]).toBe('Who sees itonly your organisation, with its sandbox keyeverybody');
    await publish.getByRole('button', { name: 'Confirm' }).click();
    await publish.getByText('Done.').waitFor();
    expect((await verify(agentId)).body['trust_score']).toBe(score);
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

  it('clones a live agent into the sandbox by keyboard: a preview, a refusal, a claim link that is shown once', async () => {
    const org = await createOrg();
    const live = await join(org.key, { ...routable, specialty: 'quotes' });
    const other = await join(org.sandboxKey);
    const visit = await console.visit('/organisation', { provokes: [/409.*\/register/u] });
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    await console.signIn(visit, keyOf(org.sandboxKey));
    const row = page.getByRole('table', { name: "The organisation's agents" }).getByRole('row', { name: live.agentId });
    await row.getByRole('button', { name: `Clone ${live.agentId}` }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Clone this agent?' });
    const preview = dialog.getByRole('table', { name: 'What will be made' });
    await preview.waitFor();
    const id = dialog.getByLabel('Id of the clone');
    await id.fill(other.agentId);
    const rows = await preview.getByRole('row').allTextContents();
    expect(rows.slice(1, 5)).toEqual([
      `Agent${other.agentId}`,
      `In the sandbox of${org.name}`,
      `Paired with${live.agentId}`,
      'Specialtyquotes',
    ]);
    expect(rows).toContain(`Endpoint${routable.endpoint_url}`);
    expect(await visit.axe()).toEqual([]);
    expect(visit.asked.filter((asked) => asked.startsWith('POST /register'))).toEqual([]);

    // In the registry's words, and the place of the one clone is not used up.
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    const taken = { agent_id: other.agentId, clone_from_agent_id: live.agentId };
    const refused = await post('/register', taken, org.sandboxKey);
    expect(refused.body['code']).toBe('agent_id_taken');
    expect(await dialog.getByRole('alert').textContent()).toContain(String(refused.body['detail']));

    const cloneId = unique('draft');
    await id.fill(cloneId);
    await page.keyboard.press('Enter');
    await dialog.getByText('It is shown this once').waitFor();
    expect(await visit.axe()).toEqual([]);
    const link = (await dialog.locator('code').first().textContent()) ?? '';
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(tokenOf(link));
    expect(await visit.stored()).not.toContain(tokenOf(link));
    const claimed = await redeem(link);
    expect([claimed.status, claimed.body['agent_key']]).toEqual([200, expect.stringMatching(/^registry-agent-sk-/u)]);
    expect((await verify(cloneId)).status).toBe(404);
    expect((await verify(cloneId, org.sandboxKey)).body).toMatchObject({ specialty: 'quotes', transaction_count: 0 });

    // A pair is moved nowhere and has no second clone.
    await row.getByRole('cell', { name: cloneId }).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByLabel('Universe').selectOption('Sandbox');
    await page.getByRole('button', { name: `Promote ${cloneId}` }).waitFor();
  });

  it("clones nothing with another organisation's sandbox key, in the words of the registry", async () => {
    const [org, other] = [await createOrg(), await createOrg()];
    const live = await join(org.key, routable);
    const visit = await console.visit('/organisation', { provokes: [/404.*\/register/u] });
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    await console.signIn(visit, keyOf(other.sandboxKey));
    await page.getByRole('button', { name: `Clone ${live.agentId}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Clone this agent?' });
    await dialog.getByRole('button', { name: 'Clone', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    const clone = { agent_id: unique('draft'), clone_from_agent_id: live.agentId };
    const { status, body } = await post('/register', clone, other.sandboxKey);
    expect([status, body['code']]).toEqual([404, 'agent_not_found']);
    expect(await dialog.getByRole('alert').textContent()).toContain(String(body['detail']));
    expect(await visit.axe()).toEqual([]);
    const { body: unchanged } = await ask('GET', `/org/agents/${live.agentId}`, { headers: org.key });
    expect(unchanged['related_agent_id']).toBeNull();
  });

  it('creates a key that is shown once and works, replaces it, and revokes it', async () => {
    const org = await createOrg();
    const visit = await console.visit('/organisation', { widthPx: 360 });
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
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(secret);
    expect(await visit.stored()).not.toContain(secret);

    // A replacement has a secret of its own; the former one works on meanwhile.
    await page.getByRole('button', { name: 'Replace billing' }).click();
    const replace = page.getByRole('dialog', { name: 'Replace billing?' });
    await replace.getByRole('button', { name: 'Replace', exact: true }).click();
    await replace.getByText('It is shown this once').waitFor();
    const next = (await replace.locator('code').first().textContent()) ?? '';
    expect(next).not.toBe(secret);
    for (const key of [secret, next]) {
      const { status, body } = await get('/org/whoami', orgKey(key));
      expect([status, body['named_key']]).toEqual([200, expect.objectContaining({ name: 'billing' })]);
    }
    await replace.getByRole('button', { name: 'Close' }).click();
    await replace.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(next);
    expect(await visit.stored()).not.toContain(next);

    await page.getByRole('button', { name: 'Revoke billing' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke billing?' });
    expect((await get('/org/whoami', orgKey(secret))).status).toBe(200);
    await revoke.getByRole('button', { name: 'Revoke', exact: true }).click();
    await revoke.getByText('It works nowhere any more.').waitFor();
    for (const key of [secret, next]) expect((await get('/org/whoami', orgKey(key))).status).toBe(401);
    await visit.photograph('organisation-keys');
  });

  it('shows what was used of each day beside the limits, and what was refused', async () => {
    const endpoint = await startRecordingAgent();
    onTestFinished(() => endpoint.stop());
    const org = await createOrg();
    const limits = { registrations_per_day: 3, reads_per_day: 12_000, reason: 'a test' };
    const path = `/ops/organisations/${encodeURIComponent(org.name)}/limits`;
    expect((await ask('PUT', path, { body: limits, headers: adminToken })).status).toBe(200);
    const [caller, target] = [await join(org.key), await join(org.key, { endpoint_url: endpoint.url })];
    expect((await call(caller, target.agentId, textMessage('hello'))).status).toBe(200);
    // Whatever the hour: at midnight the limit begins anew.
    await waitFor(async () => (await post('/register', { agent_id: unique('agent') }, org.key)).status === 429);

    expect((await post('/org/keys', { name: 'billing', scopes: ['read', 'payments'] }, org.key)).status).toBe(201);
    const visit = await console.visit('/organisation');
    const { page } = visit;
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/org/usage');
    await console.signIn(visit, keyOf(org.key));
    const { days } = (await (await answered).json()) as OrgUsage;
    await page.getByRole('region', { name: 'Usage', exact: true }).getByText('12,000 a day').waitFor();
    await page.getByRole('img', { name: 'Calls, reads and registrations of each day' }).waitFor();
    await page.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Each day' });
    await table.waitFor();
    expect(await table.getByRole('rowheader').allTextContents()).toEqual(days.map(({ day }) => day));
    expect(await table.getByRole('cell').allTextContents()).toEqual(
      days.flatMap(({ calls, registrations, reads }) =>
        [calls.used, registrations.used, reads.used, calls.refused + registrations.refused + reads.refused].map(
          (figure) => figure.toLocaleString('en'),
        ),
      ),
    );
    const sum = (of: (day: OrgUsage['days'][number]) => number): number =>
      days.reduce((total, day) => total + of(day), 0);
    expect(sum(({ calls }) => calls.used)).toBe(1);
    expect(sum(({ registrations }) => registrations.used)).toBeGreaterThanOrEqual(2);
    expect(sum(({ registrations }) => registrations.refused)).toBeGreaterThanOrEqual(1);
    await page.getByRole('table', { name: 'Each named key' }).waitFor();
    await visit.photograph('organisation');
  });

  it('shows what was paid with totals, and links to the explorer of its chain', async () => {
    const facilitator = await startFacilitator();
    onTestFinished(() => facilitator.stop());
    const org = await createOrg();
    const payer = await join((await createOrg()).key);
    const sellers = [await startFirstSeller(facilitator), await startSecondSeller(facilitator)];
    onTestFinished(() => sellers.forEach(({ stop }) => stop()));
    const buyers = [createFirstBuyer(), createSecondBuyer()];
    const receivers: string[] = [];
    for (const [at, { url }] of sellers.entries()) {
      const { agentId } = await join(org.key, { endpoint_url: url, settlement_rail: ['x402'] });
      receivers.unshift(agentId);
      const demand = await call(payer, agentId, textMessage('hello'));
      expect(demand.body['status_code']).toBe(402);
      const paid = await buyers[at]?.fetch(String(demand.body['pay_via']), { method: 'POST', body: 'hello' });
      expect(paid?.status).toBe(200);
    }

    const visit = await console.visit('/organisation');
    const { page } = visit;
    await console.signIn(visit, keyOf(org.key));
    const payments = page.getByRole('table', { name: 'Each payment, newest first' });
    await payments.waitFor();
    const amount = `${price.units} USDC`;
    expect(await payments.locator('tbody tr > :nth-child(n + 2):nth-child(-n + 4)').allTextContents()).toEqual(
      receivers.flatMap((receiver) => [receiver, payer.agentId, amount]),
    );
    // The transaction on the chain, and the account of the payee.
    const explorer = 'https://base-sepolia.scan.test';
    const links = await page.evaluate(
      `[...document.querySelectorAll('td a[target="_blank"]')].map(({ href }) => href)`,
    );
    expect(links).toEqual(
      facilitator.settled.toReversed().flatMap((id) => [`${explorer}/address/${payTo}`, `${explorer}/tx/${id}`]),
    );
    const totals = page.getByRole('table', { name: 'In all' }).locator('tbody tr');
    await totals.first().waitFor();
    expect((await totals.allTextContents()).toSorted()).toEqual(
      Object.values(networks)
        .map((network) => `${network}USDC1${amount}`)
        .toSorted(),
    );
    await visit.photograph('organisation-payments');
  });

  it('links to no explorer by what is no reference, nor where none is configured', async () => {
    const org = await createOrg();
    const database = new pg.Client({ connectionString: stack.readModelsUrl });
    await database.connect();
    try {
      // Rows inserted by the test: no seller of the other tests reports such references.
      await database.query(
        `INSERT INTO read_models.org_payment (position, org_id, universe, transaction_id, receiver_agent_id, settlement_rail, amount, currency,
           network, payee_address, confirmation_ref, settled_at, recorded_at)
         SELECT -9000 - n, org_id, 'production', org_id || n, 'paid', 'x402', 1.5, 'USDC', network, '0xPayee', reference, now(), now()
         FROM read_models.organisation, (VALUES (1, 'eip155:8453', '0xTx'), (2, 'base', '../login'), (3, 'own-chain', '0xTx'), (4, 'base', '<img src=x>')) paid (n, network, reference)
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
        'https://base.scan.test/address/0xPayee',
        'https://base.scan.test/tx/0xTx',
        // What is no reference is text, and so is one of a chain without an explorer.
        'https://base.scan.test/address/0xPayee',
        'https://base.scan.test/address/0xPayee',
      ]);
      for (const reference of ['../login', '<img src=x>']) await payments.getByText(reference).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
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
    // The registry still knows the sandbox key when it is asked whose it is.
    await page.getByLabel('Universe').waitFor();
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

  it('shows the claim link of a clone even if the registry cannot show the clone yet', async () => {
    const org = await createOrg();
    const live = await join(org.key, routable);
    const link = `${stack.urls[0]}/rotate?token=${'x'.repeat(43)}`;
    const visit = await console.visit('/organisation', {
      provokes: [/503/u],
      before: (page) =>
        page.route('**/register', (route) =>
          route.fulfill({
            status: 503,
            json: {
              detail: 'it stands',
              code: 'read_model_behind',
              request_id: 'r-1',
              agent_key: null,
              claim_link: link,
            },
          }),
        ),
    });
    await console.signIn(visit, keyOf(org.key));
    await console.signIn(visit, keyOf(org.sandboxKey));
    await visit.page.getByRole('button', { name: `Clone ${live.agentId}` }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Clone this agent?' });
    await dialog.getByRole('button', { name: 'Clone', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByText('This is the claim link.').waitFor();
    expect(await dialog.textContent()).toContain(link);
  });
});
