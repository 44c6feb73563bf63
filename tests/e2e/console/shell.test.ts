/** What every page of the console has around it, in a real browser: keyboard, colours, narrow windows, sign-in, and nothing kept. */
import { inject, expect, it } from 'vitest';
import { createOrg, join } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { createOperatorKey } from '../../support/operators.ts';

const keysOf = async (): Promise<{ name: string; key: string; sandboxKey: string }> => {
  const { name, key, sandboxKey } = await createOrg();
  return { name, key: key['x-api-key'] ?? '', sandboxKey: sandboxKey['x-api-key'] ?? '' };
};
const pages = ['/', '/registry', '/audit', '/organisation', '/system', '/policy-lab'];

describeConsole('the console', (console) => {
  it('has no accessibility violation, light and dark, and fits into 360 pixels', async () => {
    const visit = await console.visit('/');
    for (const path of pages) {
      await visit.goTo(path);
      await visit.photograph(`shell${path.replaceAll('/', '-')}`);
    }
    const narrow = await console.visit('/', { widthPx: 360 });
    const overflows: Record<string, number> = {};
    for (const path of pages) {
      await narrow.goTo(path);
      await narrow.loaded();
      overflows[path] = await narrow.overflowPx();
    }
    expect(overflows).toEqual(Object.fromEntries(pages.map((path) => [path, 0])));
  });

  it('changes its colours by a switch that is gone with the tab', async () => {
    const { page, goTo } = await console.visit('/');
    const background = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByLabel('Colours').selectOption('Dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await goTo('/');
    expect(await background()).toBe(light);
  });

  it('is used by keyboard alone: skip link, navigation, dialog', async () => {
    const { page } = await console.visit('/');
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement.textContent || document.activeElement.tagName');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');

    await page.getByRole('link', { name: 'Home' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Registry');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Registry' }).waitFor();
    // A screen reader goes on at the new page.
    await page.locator('main#content:focus').waitFor();

    await page.getByRole('button', { name: 'Sign in' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Who you are' });
    await dialog.waitFor();
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      const place = await page.evaluate(
        "document.activeElement.closest('dialog') !== null || document.activeElement === document.body",
      );
      expect(place, `after ${presses + 1} presses of Tab`).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Sign in');
  });

  it('shows whose key was pasted, holds several at once, and forgets them with the tab', async () => {
    const org = await keysOf();
    const { adminToken } = inject('stack');
    // Nobody plays the demo in the stack of these tests.
    const visit = await console.visit('/', { provokes: [/404.*\/ops\/demo/u] });
    const { page, stored, goTo } = visit;
    await console.signIn(visit, org.key);
    await console.signIn(visit, org.sandboxKey);
    await console.signIn(visit, adminToken, "An operator's key or token");
    const button = page.getByRole('button', { name: /^Signed in as Operator,/u });
    for (const universe of ['production', 'sandbox']) await button.getByText(`${org.name} (${universe})`).waitFor();
    const kept = await stored();
    for (const key of [org.key, org.sandboxKey, adminToken]) expect(kept).not.toContain(key);
    expect(await page.content()).not.toContain(org.key);

    // Another tab of the same browser, and this one when it is loaded again.
    const other = await console.visit('/');
    expect(await other.page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
    await goTo('/');
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
  });

  it('signs in nobody who closed the dialog before the registry answered', async () => {
    const org = await keysOf();
    const visit = await console.visit('/registry');
    const { page } = visit;
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/org/whoami', (route) => isHeld.then(() => route.fallback()), { times: 1 });
    await page.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who you are' });
    await dialog.getByLabel('Key').fill(org.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const answered = page.waitForResponse('**/org/whoami');
    release();
    await answered;
    await console.signIn(visit, org.sandboxKey);
    const signedIn = page.getByRole('button', { name: `Signed in as ${org.name} (sandbox)`, exact: true });
    await expect.poll(() => signedIn.count()).toBe(1);
  });

  it("shows an operator's name and role, and which agent a key is of", async () => {
    const operator = await createOperatorKey('viewer');
    const agent = await join((await createOrg()).sandboxKey);
    const agentKey = String(agent.auth['authorization']).slice('Bearer '.length);
    const visit = await console.visit('/registry');
    const { page } = visit;
    await console.signIn(visit, operator.key);
    await console.signIn(visit, agentKey);
    await page.getByRole('button', { name: `Signed in as Operator ${operator.name}, ${agent.agentId}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Who you are' });
    await dialog.getByText(`Operator: Operator ${operator.name} (viewer)`).waitFor();
    await dialog.getByText(`Agent: ${agent.agentId} (sandbox)`).waitFor();
    expect(await visit.axe()).toEqual([]);
    for (const key of [operator.key, agentKey]) {
      expect(await page.content()).not.toContain(key);
      expect(await visit.stored()).not.toContain(key);
    }
    await dialog.getByRole('button', { name: 'Sign out' }).last().click();
    await dialog.getByText(`Agent: ${agent.agentId}`).waitFor({ state: 'hidden' });
  });

  it('keeps its navigation in one line, whoever is signed in', async () => {
    const org = await keysOf();
    const agent = await join((await createOrg()).key);
    const visit = await console.visit('/registry');
    const { page } = visit;
    const height = async (): Promise<number> => (await page.getByRole('banner').boundingBox())?.height ?? 0;
    const alone = await height();
    await console.signIn(visit, (await createOperatorKey('viewer')).key);
    await console.signIn(visit, org.key);
    await console.signIn(visit, org.sandboxKey);
    await console.signIn(visit, String(agent.auth['authorization']).slice('Bearer '.length));
    const names = `${org.name} (production), ${org.name} (sandbox), ${agent.agentId}`;
    await page.getByRole('button', { name: names }).waitFor();
    expect(await height()).toBe(alone);
    expect(await visit.overflowPx()).toBe(0);
    expect(await visit.axe()).toEqual([]);
  });

  it('says of the token of the installation that it names nobody', async () => {
    const visit = await console.visit('/registry');
    await console.signIn(visit, inject('stack').adminToken, "An operator's key or token");
    await visit.page.getByRole('button', { name: /^Signed in as/u }).click();
    const named = visit.page.getByText('Operator: Operator (break-glass: the token of the installation, admin)');
    await named.waitFor();
    expect(await named.count()).toBe(1);
  });

  it('refuses a key that the registry does not know, and says where another kind belongs', async () => {
    const org = await keysOf();
    const { page } = await console.visit('/', { provokes: [/status 401|\b401\b/u] });
    await page.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill(`${org.key.slice(0, -4)}AAAA`);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('The registry does not accept this key.').waitFor();
    await dialog.getByLabel('Key').fill(org.sandboxKey);
    expect(await dialog.getByLabel('Whose it is').inputValue()).toBe('sandbox');
    await dialog.getByLabel('Key').fill('ключ');
    await dialog.getByText('No key has such characters').waitFor();
    expect(await dialog.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
  });

  it('says that there is no such page', async () => {
    const visit = await console.visit('/nothing/here');
    for (const path of ['/nothing/here', '/agents/%']) {
      await visit.goTo(path);
      expect([path, await visit.page.getByRole('heading', { level: 1 }).textContent()]).toEqual([path, 'No such page']);
    }
  });
});
