/**
 * Bug: while the registry answers 503, a page is empty, shows an error without its code, forgets what it had shown, or stays broken when the registry is
 * back. Method: answers that the test replaces by those of a registry that is away, all of them or those of one page.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createOrg, join, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { asHiddenTab } from '../../support/console/hidden-tab.ts';

const operators = "An operator's key or token";
/** Longer than the home page and the system page wait before they ask again. */
const askedAgainMs = 16_000;

type Away = { isAway: boolean; before: (page: Page) => Promise<unknown> };

/**
 * Has the registry answer 503 to all but the console's own files while `isAway`.
 *
 * @param isSeen False: the page asks again only when somebody presses the button. True: the test moves its clock.
 */
const away = ({ isAway, isSeen } = { isAway: true, isSeen: false }): Away => {
  const registry: Away = {
    isAway,
    before: async (page) => {
      await (isSeen ? page.clock.install() : asHiddenTab(page));
      await page.route(
        ({ pathname }) => !pathname.startsWith('/console'),
        (route) =>
          registry.isAway
            ? route.fulfill({
                status: 503,
                headers: { 'retry-after': '1' },
                json: { detail: 'the log is away', code: 'unavailable', request_id: 'r-503' },
              })
            : route.continue(),
      );
    },
  };
  return registry;
};

/** Without any agent, the home page says that nothing has happened. */
const joinWithEndpoint = async (): Promise<void> => {
  await join((await createOrg()).key, { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] });
};

describeConsole('the console of a registry that answers 503', (console) => {
  it('says on the home page what is missing, and shows the rest', async () => {
    await joinWithEndpoint();
    const registry = away();
    const visit = await console.visit('/', { provokes: [/503/u], before: registry.before });
    const { page } = visit;
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /The registry cannot answer now.*the log is away.*unavailable.*request r-503/u,
    );
    await page.getByRole('heading', { name: 'What this is' }).waitFor();
    await page.getByRole('region', { name: 'Request 1' }).waitFor();
    expect(await page.getByText('Nothing has happened in the last days').count()).toBe(0);
    await visit.photograph('home-503');

    registry.isAway = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Newest agents with an endpoint' }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it('keeps on the home page what was shown, and asks again by itself', async () => {
    await joinWithEndpoint();
    const registry = away({ isAway: false, isSeen: true });
    const { page } = await console.visit('/', { provokes: [/503/u], before: registry.before });
    const days = page.getByRole('img', { name: 'Calls, reviews and registrations of each day' });
    await days.waitFor();
    registry.isAway = true;
    await page.clock.fastForward(askedAgainMs);
    const alert = page.getByRole('alert');
    await alert.getByText('r-503').waitFor();
    expect(await days.count()).toBe(1);
    registry.isAway = false;
    await page.clock.fastForward(askedAgainMs);
    await alert.waitFor({ state: 'detached' });
    expect(await days.count()).toBe(1);
  });

  it('says of a key that the registry is away, not that the key is wrong', async () => {
    const registry = away();
    const { page } = await console.visit('/system', { provokes: [/503/u], before: registry.before });
    await page.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who you are' });
    await dialog.getByLabel('Key').fill(stack.adminToken);
    await dialog.getByLabel('Whose it is').selectOption({ label: operators });
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText('r-503').waitFor();
    expect(await dialog.getByText('The registry does not accept this key.').count()).toBe(0);
    // The key is still there, to be sent again.
    registry.isAway = false;
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('button', { name: 'Sign out' }).first().waitFor();
  });

  it('says on the system page of each part that it is missing, and shows each when it is back', async () => {
    const registry = away({ isAway: false, isSeen: false });
    const visit = await console.visit('/registry', { provokes: [/503/u], before: registry.before });
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    registry.isAway = true;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'System' }).click();
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    // The state, the rates and the replays.
    const alerts = page.getByRole('alert').filter({ hasText: 'r-503' });
    await alerts.nth(2).waitFor();
    expect(await alerts.count()).toBe(3);
    expect(await page.getByText('All is well.').count()).toBe(0);
    await visit.photograph('system-503');

    registry.isAway = false;
    for (let left = 2; left >= 0; left -= 1) {
      await alerts.first().getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => alerts.count(), { timeout: 30_000 }).toBe(left);
    }
    await page.getByRole('table', { name: 'Instances that have answered' }).waitFor();
    await page.getByRole('img', { name: /^Calls, verifies and refusals/u }).waitFor();
  });

  it.each([
    { name: 'Audit', as: 'operator', shown: { role: 'table', name: 'Events, newest first' } },
    { name: 'Policy lab', as: 'operator', shown: { role: 'table', name: 'Known policies' } },
    {
      name: 'Organisation',
      as: 'organisation',
      shown: { role: 'img', name: 'Calls, reads and registrations of each day' },
    },
  ] as const)('says on the page $name what is missing, and shows it when it is back', async ({ name, as, shown }) => {
    const registry = away({ isAway: false, isSeen: false });
    const visit = await console.visit('/registry', { provokes: [/503/u], before: registry.before });
    const { page } = visit;
    if (as === 'operator') await console.signIn(visit, stack.adminToken, operators);
    else await console.signIn(visit, (await createOrg()).key['x-api-key'] ?? '');
    registry.isAway = true;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    const alerts = page.getByRole('alert').filter({ hasText: 'r-503' });
    await alerts.first().waitFor();
    await visit.photograph(`${name.toLowerCase().replace(' ', '-')}-503`);

    registry.isAway = false;
    for (let left = (await alerts.count()) - 1; left >= 0; left -= 1) {
      await alerts.first().getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => alerts.count(), { timeout: 30_000 }).toBe(left);
    }
    await page.getByRole(shown.role, { name: shown.name }).waitFor();
  });

  it('keeps on the system page what was known, beside what is wrong now', async () => {
    const registry = away({ isAway: false, isSeen: true });
    const visit = await console.visit('/system', { provokes: [/503/u], before: registry.before });
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    const instances = page.getByRole('table', { name: 'Instances that have answered' });
    const rates = page.getByRole('img', { name: /^Calls, verifies and refusals/u });
    const alerts = page.getByRole('alert').filter({ hasText: 'r-503' });
    await instances.waitFor();
    await rates.waitFor();
    // The clock would end what is still awaited: the replays.
    await visit.loaded();
    registry.isAway = true;
    await page.clock.fastForward(askedAgainMs);
    await alerts.nth(2).waitFor();
    expect([await instances.count(), await rates.count()]).toEqual([1, 1]);
    registry.isAway = false;
    await page.clock.fastForward(askedAgainMs);
    await expect.poll(() => alerts.count(), { timeout: 30_000 }).toBe(0);
  });
});
