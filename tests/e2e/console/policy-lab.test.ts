/** A policy from the form to a trial and an attack, in a real browser; nothing is activated in the stack that all tests share. */
import { expect, it } from 'vitest';
import { adminToken, createOrg, get, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { unique } from '../../support/registry.ts';

const operators = "An operator's key or token";

describeConsole('the policy lab', (console) => {
  it('is for operators alone', async () => {
    const org = await createOrg();
    const visit = await console.visit('/policy-lab');
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await visit.page.getByText("Sign in with an operator's key").waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
  });

  it('refuses what no policy may have, and shows who would move under one that may be', async () => {
    const visit = await console.visit('/policy-lab', { provokes: [/422/u, /409.*policy-trials/u] });
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('table', { name: 'Known policies' }).waitFor();
    expect(await visit.axe()).toEqual([]);
    expect(await visit.overflowPx()).toBe(0);

    // The browser holds the form to the ranges of the schema.
    const strength = page.getByLabel('strength', { exact: true });
    await strength.fill('-3');
    await page.getByRole('button', { name: 'Take it to the lab' }).click();
    await page.locator('input:invalid').waitFor();
    expect(await page.locator('input:invalid').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Compute' }).count()).toBe(0);

    await strength.fill('9');
    await page.getByLabel('Name', { exact: true }).fill(unique('lab').toLowerCase());
    await page.getByRole('button', { name: 'Take it to the lab' }).click();
    const compute = page.getByRole('button', { name: /^Compute/u });
    const result = page.getByRole('table', { name: 'Across thresholds' });
    const refusal = page.getByText('policy_job_in_progress');
    // One trial runs at a time in an installation: another test file may have its own under way.
    await expect
      .poll(
        async () => {
          if (await result.isVisible()) return true;
          if (!(await page.getByRole('progressbar').isVisible())) await compute.click();
          await result.or(refusal).or(page.getByRole('progressbar')).first().waitFor();
          return result.isVisible();
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toBe(true);
    expect(await visit.axe()).toEqual([]);
    await visit.screenshot('policy-lab');
    // Nothing was changed.
    expect((await get('/ops/policies', adminToken)).body['in_force']).toBe('v1');
  });

  it('asks before it activates', async () => {
    const visit = await console.visit('/policy-lab');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('button', { name: 'Take it to the lab' }).click();
    await page.getByRole('button', { name: /^Activate/u }).click();
    const dialog = page.getByRole('dialog', { name: 'Activate this policy?' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect((await get('/ops/policies', adminToken)).body['in_force']).toBe('v1');
  });
});
