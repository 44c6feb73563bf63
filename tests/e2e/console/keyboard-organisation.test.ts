/**
 * Bug: an organisation changes its keys or moves its agents by mouse alone, or confirms a change with the key press that asked for it. Method: no click;
 * every control is reached by Tab, what a dialog asks is first left by Escape, and what the registry holds is looked at after each step.
 */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { createOrg, get, join, type Org, post, redeem, verify } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import {
  chooseBelow,
  leave,
  openAfterEscape,
  pressAt,
  signInByKeyboard,
  typeInto,
} from '../../support/console/keyboard.ts';
import { bearer, orgKey, unique } from '../../support/registry.ts';

const routable = { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] };
const keyOf = (headers: Org['key']): string => headers['x-api-key'] ?? '';
const statusOf = async (key: string): Promise<number> => (await get('/org/whoami', orgKey(key))).status;

/** The secret that a dialog shows once it is confirmed. */
const secretOf = async (dialog: Locator): Promise<string> => {
  await dialog.getByText('It is shown this once').waitFor();
  return (await dialog.locator('code').first().textContent()) ?? '';
};

describeConsole('the organisation page by keyboard alone', (console) => {
  it('creates a key, replaces it, and revokes it', async () => {
    const { key } = await createOrg();
    const { page } = await console.visit('/organisation');
    await signInByKeyboard(page, keyOf(key));
    const create = await openAfterEscape(page, 'Create a key', 'Create a key');
    await typeInto(page, create.getByLabel('Name'), 'billing');
    await pressAt(page, create.getByLabel('payments: what was received'), 'Space');
    await pressAt(page, create.getByRole('button', { name: 'Create' }));
    const secret = await secretOf(create);
    await leave(page, create);
    expect((await get('/org/whoami', orgKey(secret))).body['named_key']).toMatchObject({
      name: 'billing',
      scopes: ['read', 'payments'],
    });

    const replace = await openAfterEscape(page, 'Replace billing', 'Replace billing?');
    await pressAt(page, replace.getByRole('button', { name: 'Replace', exact: true }), 'Space');
    const next = await secretOf(replace);
    await leave(page, replace);
    expect([await statusOf(secret), await statusOf(next)]).toEqual([200, 200]);

    const revoke = await openAfterEscape(page, 'Revoke billing', 'Revoke billing?');
    expect(await statusOf(next)).toBe(200);
    await pressAt(page, revoke.getByRole('button', { name: 'Revoke', exact: true }));
    await revoke.getByText('It works nowhere any more.').waitFor();
    await leave(page, revoke);
    expect([await statusOf(secret), await statusOf(next)]).toEqual([401, 401]);
    // The button that opened the dialog is gone, and the reader is still where it was.
    await page.getByRole('button', { name: 'Revoke billing' }).waitFor({ state: 'detached' });
    await pressAt(page, page.getByRole('button', { name: 'Replace the production key' }));
    await page.getByRole('dialog', { name: 'Replace the production key?' }).waitFor();
  });

  it("replaces the organisation's own two keys, and revokes that of the sandbox", async () => {
    const org = await createOrg();
    const { page } = await console.visit('/organisation');
    await signInByKeyboard(page, keyOf(org.key));
    const replace = await openAfterEscape(page, 'Replace the production key', 'Replace the production key?');
    await pressAt(page, replace.getByRole('button', { name: 'Replace', exact: true }));
    const production = await secretOf(replace);
    await leave(page, replace);
    expect([await statusOf(keyOf(org.key)), await statusOf(production)]).toEqual([401, 200]);

    const revoke = await openAfterEscape(page, 'Revoke the sandbox key', 'Revoke the sandbox key?');
    expect(await statusOf(keyOf(org.sandboxKey))).toBe(200);
    await pressAt(page, revoke.getByRole('button', { name: 'Revoke', exact: true }));
    await revoke.getByText('It works nowhere any more.').waitFor();
    await leave(page, revoke);
    expect(await statusOf(keyOf(org.sandboxKey))).toBe(401);

    const create = await openAfterEscape(page, 'Create the sandbox key', 'Create a sandbox key?');
    await pressAt(page, create.getByRole('button', { name: 'Create', exact: true }));
    expect(await statusOf(await secretOf(create))).toBe(200);
  });

  it('withdraws an agent and publishes it again', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key, routable);
    const { page } = await console.visit('/organisation');
    await signInByKeyboard(page, keyOf(org.key));
    await signInByKeyboard(page, keyOf(org.sandboxKey));
    const withdraw = await openAfterEscape(page, `Withdraw ${agentId}`, 'Withdraw this agent?');
    expect((await get(`/agent/${agentId}`)).status).toBe(200);
    await pressAt(page, withdraw.getByRole('button', { name: 'Confirm' }));
    await withdraw.getByText('Done.').waitFor();
    await leave(page, withdraw);
    expect((await get(`/agent/${agentId}`)).status).toBe(404);

    await chooseBelow(page, page.getByLabel('Universe'), 'sandbox');
    const publish = await openAfterEscape(page, `Publish ${agentId}`, 'Publish this agent?');
    expect((await get(`/agent/${agentId}`)).status).toBe(404);
    await pressAt(page, publish.getByRole('button', { name: 'Confirm' }));
    await publish.getByText('Done.').waitFor();
    expect((await get(`/agent/${agentId}`)).status).toBe(200);
  });

  it('clones an agent into the sandbox, and promotes what was tried there', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key, { ...routable, specialty: 'quotes' });
    const { page } = await console.visit('/organisation');
    await signInByKeyboard(page, keyOf(org.key));
    await signInByKeyboard(page, keyOf(org.sandboxKey));
    const clone = await openAfterEscape(page, `Clone ${agentId}`, 'Clone this agent?');
    const draftId = unique('draft');
    await typeInto(page, clone.getByLabel('Id of the clone'), draftId);
    await clone.getByRole('table', { name: 'What will be made' }).waitFor();
    expect((await verify(draftId, org.sandboxKey)).status).toBe(404);
    await pressAt(page, clone.getByRole('button', { name: 'Clone', exact: true }));
    const { body: claimed } = await redeem(await secretOf(clone));
    await leave(page, clone);
    const changed = await post(
      '/update',
      { agent_id: draftId, specialty: 'better quotes' },
      bearer(String(claimed['agent_key'])),
    );
    expect(changed.status).toBe(200);

    await chooseBelow(page, page.getByLabel('Universe'), 'sandbox');
    const promote = await openAfterEscape(page, `Promote ${draftId}`, 'Promote this draft?');
    await promote.getByRole('row', { name: 'Specialty quotes better quotes' }).waitFor();
    expect((await get(`/agent/${agentId}`)).body['specialty']).toBe('quotes');
    await pressAt(page, promote.getByRole('button', { name: 'Confirm' }));
    await promote.getByText('Done.').waitFor();
    expect((await get(`/agent/${agentId}`)).body['specialty']).toBe('better quotes');
  });
});
