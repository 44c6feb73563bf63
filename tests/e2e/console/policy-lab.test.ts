/** A policy from the form to a trial and an attack, in a real browser; nothing is activated in the stack that all tests share. */
import type { PolicySimulation, PolicyTrialAgent, SimulatedCourse } from '@agent-trust/client';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { adminToken, call, createOrg, get, join, review, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { startRecordingAgent } from '../../support/recording-agent.ts';
import { textMessage, unique } from '../../support/registry.ts';

const operators = "An operator's key or token";

/** Makes agents whose scores are not their priors, so that another weight of the prior moves them: one of nobody up, one of an organisation down across 70. */
const reviewedAgents = async (): Promise<void> => {
  const endpoint = await startRecordingAgent();
  onTestFinished(() => endpoint.stop());
  const caller = await join((await createOrg()).key);
  for (const [key, score] of [
    [{}, 10],
    [(await createOrg()).key, 1],
  ] as const) {
    const agent = await join(key, { endpoint_url: endpoint.url });
    const { body } = await call(caller, agent.agentId, textMessage('hello'));
    const answer = await review(caller, agent.agentId, { transaction_id: body['transaction_id'], score });
    expect(answer.status).toBe(200);
  }
};

/** Has a job begun for the policy in the lab. One of a kind runs at a time: it may be that of another test file. */
const begin = async (page: Page, button: RegExp, jobs: 'policy-trials' | 'policy-simulations'): Promise<void> => {
  await expect
    .poll(
      async () => {
        const [begun] = await Promise.all([
          page.waitForResponse((answer) => answer.url().endsWith(`/ops/${jobs}`)),
          page.getByRole('button', { name: button }).click(),
        ]);
        return begun.ok();
      },
      { timeout: 120_000, interval: 1_000 },
    )
    .toBe(true);
};

/** Has the policy in the lab tried, to the end. */
const compute = async (page: Page): Promise<void> => {
  await begin(page, /^Compute/u, 'policy-trials');
  await page.getByRole('table', { name: 'Across thresholds' }).waitFor({ timeout: 120_000 });
};

/** A policy is tried: both waits of that, and all else. */
const tryingMs = 420_000;

describeConsole('the policy lab', (console) => {
  it('is for operators alone', async () => {
    const org = await createOrg();
    const visit = await console.visit('/policy-lab');
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await visit.page.getByText("Sign in with an operator's key").waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
  });

  it(
    'refuses what no policy may have, and shows who would move under one that may be',
    async () => {
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
      await compute(page);
      await visit.photograph('policy-lab');
      // Nothing was changed.
      expect((await get('/ops/policies', adminToken)).body['in_force']).toBe('v1');
    },
    tryingMs,
  );

  it(
    'tries a known policy as it is, and says of the one in force that it is in force',
    async () => {
      const visit = await console.visit('/policy-lab', { provokes: [/409.*policy-trials/u] });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      await reviewedAgents();
      const inLab = page.getByRole('status').filter({ hasText: 'In the lab:' });
      await page.getByRole('button', { name: 'Try v2 as it is' }).click();
      await inLab.filter({ hasText: /^In the lab: v2$/u }).waitFor();
      await compute(page);
      await page.getByRole('table', { name: 'Agents that would move' }).waitFor();
      const [, id = ''] = /\/ops\/policy-trials\/([0-9a-f-]{36})/u.exec(visit.asked.join('\n')) ?? [];
      expect((await get(`/ops/policy-trials/${id}`, adminToken)).body['policy']).toBe('v2');
      await page.getByRole('button', { name: 'Attack it' }).waitFor();
      await page.getByRole('button', { name: 'Activate v2' }).waitFor();

      await page.getByRole('button', { name: 'Try v1 as it is' }).click();
      await inLab.filter({ hasText: /^In the lab: v1$/u }).waitFor();
      await page.getByRole('button', { name: 'Compute', exact: true }).waitFor();
      await page.getByText('The policy of the name v1 is in force already.').waitFor();
      expect(await page.getByRole('button', { name: /^Activate/u }).count()).toBe(0);
      expect(await visit.axe()).toEqual([]);
      expect((await get('/ops/policies', adminToken)).body['in_force']).toBe('v1');
    },
    tryingMs,
  );

  it(
    'shows how a policy stands the attacks: its gates, and the course of each',
    async () => {
      const visit = await console.visit('/policy-lab', { provokes: [/409.*policy-simulations/u] });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      await page.getByRole('button', { name: 'Take it to the lab' }).click();
      await begin(page, /^Attack it/u, 'policy-simulations');
      await page.getByText(/Every gate held but for known misses|Not every gate held/u).waitFor({ timeout: 240_000 });
      const table = page.getByRole('table', { name: 'Attacks, and what each policy has to withstand' });
      // What the page says of each gate is what the registry found.
      const [, id = ''] = /\/ops\/policy-simulations\/([0-9a-f-]{36})/u.exec(visit.asked.join('\n')) ?? [];
      const { body } = await get(`/ops/policy-simulations/${id}`, adminToken);
      const { attacks, proven } = body as unknown as PolicySimulation;
      const figures = attacks.flatMap((one) => one.figures.map((figure) => ({ ...figure, title: one.title })));
      expect(await table.getByRole('rowheader').allTextContents()).toEqual(figures.map(({ title }) => title));
      expect(await page.getByText('Every gate held but for known misses').isVisible()).toBe(proven);
      const first = attacks[0];
      await table
        .getByRole('button', { name: `Show ${first?.title}` })
        .first()
        .click();
      const dialog = page.getByRole('dialog', { name: first?.title ?? '' });
      await dialog.getByRole('img', { name: /^Scores from 0 to 100 by/u }).waitFor();
      const course = (await get(`/ops/policy-simulations/${id}/attacks/${first?.attack}`, adminToken))
        .body as unknown as SimulatedCourse;
      const lines = dialog.locator('polyline');
      expect(await lines.count()).toBe(course.tracks.length);
      for (const [at, { scores }] of course.tracks.entries()) {
        const points = ((await lines.nth(at).getAttribute('points')) ?? '').split(' ').filter((point) => point !== '');
        expect(points).toHaveLength(scores.filter((score) => score !== null).length);
      }
      const ends = dialog.getByRole('table', { name: /^Scores at the end/u });
      expect(await ends.getByRole('rowheader').allTextContents()).toEqual(course.tracks.map(({ label }) => label));
      await visit.photograph('policy-lab-course');
    },
    tryingMs,
  );

  it('asks before it activates', async () => {
    const visit = await console.visit('/policy-lab');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('button', { name: 'Take it to the lab' }).click();
    await page.getByRole('button', { name: /^Activate/u }).click();
    const dialog = page.getByRole('dialog', { name: 'Activate this policy?' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(visit.asked.filter((request) => request.startsWith('POST '))).toEqual([]);
    expect((await get('/ops/policies', adminToken)).body['in_force']).toBe('v1');
  });

  it(
    'offers policies of formula v2, and says why an agent moves',
    async () => {
      const visit = await console.visit('/policy-lab', { provokes: [/409.*policy-trials/u] });
      const { page } = visit;
      await console.signIn(visit, stack.adminToken, operators);
      const inForce = (await get('/ops/policies', adminToken)).body['in_force'];
      await reviewedAgents();
      await page.getByRole('button', { name: 'Edit a copy of v2' }).click();
      // The fields come from the schema of its formula: numbers, words and names.
      await page.getByLabel('recordStep', { exact: true }).waitFor();
      await page.getByLabel('strength', { exact: true }).fill('50');
      await page.getByLabel('unaffiliated', { exact: true }).selectOption('none');
      await page.getByLabel('anchors', { exact: true }).fill('one-organisation\nanother-organisation\n');
      await page.getByLabel('Name', { exact: true }).fill(unique('lab').toLowerCase());
      expect(await visit.axe()).toEqual([]);
      await page.getByRole('button', { name: 'Take it to the lab' }).click();
      await compute(page);
      const moved = page.getByRole('table', { name: 'Agents that would move' });
      await moved.waitFor();
      // Each with its score under both, by how much it moves, and across which threshold.
      const [, trial] = visit.asked.join('\n').match(/(\/ops\/policy-trials\/[0-9a-f-]{36}\/agents)/u) ?? [];
      const agents = (await get(`${trial}?limit=50`, adminToken)).list as unknown as PolicyTrialAgent[];
      const rows = await moved.locator('tbody tr').all();
      const shown = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
      expect(
        shown.map(([agent, was = '', is = '', ...rest]) => [
          agent,
          Number.parseInt(was, 10),
          Number.parseInt(is, 10),
          ...rest,
        ]),
      ).toEqual(
        agents.map(({ agent_id: agentId, trust_score: score, trial_score: trialScore, change, crosses }) => [
          agentId,
          score,
          trialScore,
          `${change > 0 ? '+' : ''}${change}`,
          crosses.map(({ threshold, direction }) => `${direction} across ${threshold}`).join(', '),
        ]),
      );
      expect(shown[0]?.[4]).toMatch(/^(?:rises|falls) across \d+/u);
      await moved.getByRole('button').first().click();
      const parts = page.getByRole('table', { name: 'Parts of its score that differ, in points' });
      await parts.waitFor();
      expect(await parts.getByRole('row').count()).toBeGreaterThan(1);
      // Its history under both, which ends with what its row says.
      const dialog = page.getByRole('dialog', { name: shown[0]?.[0] ?? '', exact: true });
      await dialog.getByRole('img', { name: /^Its score under/u }).waitFor();
      expect(await dialog.getByRole('list', { name: 'Its lines' }).getByRole('listitem').allTextContents()).toEqual([
        expect.stringContaining('in force'),
        expect.stringContaining('on trial'),
      ]);
      await dialog.getByText('As a table').click();
      const changes = dialog.getByRole('table', { name: /^Its changes|^Some of its changes/u }).locator('tbody tr');
      expect((await changes.last().locator('td').allTextContents()).map(Number)).toEqual([
        agents[0]?.trust_score,
        agents[0]?.trial_score,
      ]);
      expect(await visit.axe()).toEqual([]);
      expect((await get('/ops/policies', adminToken)).body['in_force']).toBe(inForce);
    },
    tryingMs,
  );
});
