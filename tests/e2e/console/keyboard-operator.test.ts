/**
 * Bug: an operator plays the demo, replays the read models, tries a policy or puts it in force by mouse alone, or the focus is lost while a page follows
 * what it began. Method: a registry of its own with what `npm start` opens beside it, because all of this changes it; no click; what a dialog asks is
 * first left by Escape.
 */
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { openSupervisor, type Supervisor } from '@agent-trust/dev-stack/supervisor';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeConsole } from '../../support/console/console-tests.ts';
import { leave, openAfterEscape, pressAt, signInByKeyboard, tabTo, typeInto } from '../../support/console/keyboard.ts';
import { beginsWithV1 } from '../../support/first-policy.ts';
import { bearer, httpTo, unique } from '../../support/registry.ts';

/** The demo rests for half a second after each of about thirty steps; each job works in a process of its own, whose start takes long on a busy machine. */
const workMs = 90_000;

let stack: Stack;
let supervisor: Supervisor;
beforeAll(async () => {
  stack = await startStack({ ephemeral: true, fsync: false, env: { ...process.env, ...beginsWithV1, CONSOLE: 'on' } });
  supervisor = await openSupervisor(stack);
});
afterAll(async () => {
  await supervisor?.stop();
  await stack?.stop();
});

const opsGet = (path: string) => httpTo(stack.url).get(path, bearer(stack.adminToken));

describeConsole(
  "an operator's pages by keyboard alone",
  (console) => {
    const visitAsOperator = async (path: string): Promise<Page> => {
      const { page } = await console.visit(path);
      await signInByKeyboard(page, stack.adminToken, 'operator');
      return page;
    };

    it('play the demo, and open one of its agents', async () => {
      const { page } = await console.visit(`/#code=${supervisor.makeCode()}`);
      await pressAt(page, page.getByRole('button', { name: 'Play the demo' }), 'Space');
      await page.getByText('The demo is over.').waitFor({ timeout: workMs });
      const steps = page.getByRole('list', { name: 'Steps of the demo' });
      // It scrolls, so it can be scrolled by keyboard.
      await tabTo(page, steps);
      await page.keyboard.press('End');
      await expect.poll(() => steps.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
      const agent = steps.getByRole('link').first();
      const agentId = (await agent.textContent()) ?? '';
      await pressAt(page, agent);
      await page.getByRole('heading', { level: 1, name: agentId }).waitFor();
      await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    });

    it('replay the read models', async () => {
      const page = await visitAsOperator('/system');
      await page.getByText('Nobody has replayed the read models of this registry yet.').waitFor();
      const dialog = await openAfterEscape(page, 'Replay the read models', 'Replay the read models?');
      expect((await opsGet('/ops/replays')).list).toEqual([]);
      await pressAt(page, dialog.getByRole('button', { name: 'Replay', exact: true }));
      const newest = page.getByRole('table', { name: 'The last replays' }).locator('tbody tr').first();
      await newest.getByText('switched', { exact: true }).waitFor({ timeout: workMs });
      await tabTo(page, page.getByRole('region', { name: 'The last replays' }));
    });

    it('edit a policy, see who would move and how it stands an attack, and put it in force', async () => {
      const page = await visitAsOperator('/policy-lab');
      await pressAt(page, page.getByRole('button', { name: 'Edit a copy of v1' }));
      const name = unique('lab').toLowerCase();
      await typeInto(page, page.getByLabel('Name', { exact: true }), name);
      await typeInto(page, page.getByLabel('strength', { exact: true }), '50');
      await pressAt(page, page.getByRole('button', { name: 'Take it to the lab' }));

      await pressAt(page, page.getByRole('button', { name: 'Compute' }));
      const moved = page.getByRole('table', { name: 'Agents that would move' });
      await moved.waitFor({ timeout: workMs });
      const first = moved.getByRole('button').first();
      const why = await openAfterEscape(page, (await first.textContent()) ?? '', (await first.textContent()) ?? '');
      await why.getByRole('table', { name: 'Parts of its score that differ, in points' }).waitFor();
      await leave(page, why);
      await first.and(page.locator(':focus')).waitFor();

      await pressAt(page, page.getByRole('button', { name: 'Attack it' }));
      const attacks = page.getByRole('table', { name: 'Attacks, and what each policy has to withstand' });
      const attack = (await attacks.getByRole('rowheader').first().textContent({ timeout: workMs })) ?? '';
      const plot = await openAfterEscape(page, `Show ${attack}`, attack);
      await plot.getByRole('img', { name: /^Scores from 0 to 100 by/u }).waitFor();
      await tabTo(page, plot.getByRole('region', { name: /^Scores at the end/u }));
      await leave(page, plot);
      // The rows of the other attacks come meanwhile: the focus stays where it was.
      await page.getByText(/Every gate held but for known misses|Not every gate held/u).waitFor({ timeout: workMs });
      await page
        .getByRole('button', { name: `Show ${attack}` })
        .and(page.locator(':focus'))
        .waitFor();

      const dialog = await openAfterEscape(page, `Activate ${name}`, 'Activate this policy?');
      expect((await opsGet('/ops/policies')).body['in_force']).toBe('v1');
      await pressAt(page, dialog.getByRole('button', { name: 'Activate', exact: true }));
      const end = page.getByRole('status').filter({ hasText: `${name} is in force from position` });
      await end.waitFor({ timeout: workMs });
      expect((await opsGet('/ops/policies')).body['in_force']).toBe(name);
      // The button that began it is gone, and the reader goes on.
      await pressAt(page, page.getByRole('button', { name: `Edit a copy of ${name}` }));
      await page.getByRole('heading', { name: 'Put it in force' }).waitFor({ state: 'detached' });
    });
  },
  () => stack.url,
);
