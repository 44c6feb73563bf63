/**
 * What changes a whole registry, or holds it up, in a real browser and to its end: a replay, a trial and a simulation that are stopped while they run, and
 * a trust policy that is put in force. Method: a registry of its own; locks of its database hold the work where the test wants to look at it.
 */
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeConsole } from '../../support/console/console-tests.ts';
import type { Visit, VisitOptions } from '../../support/console/visit.ts';
import { beginsWithV1 } from '../../support/first-policy.ts';
import { type PublishingWitness, startPublishingWitness } from '../../support/publishing-witness.ts';
import { type RecordingAgent, startRecordingAgent } from '../../support/recording-agent.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  registerAgent,
  unique,
} from '../../support/registry.ts';

const operators = "An operator's key or token";
/** Each works in a process of its own, whose start takes long on a busy machine. */
const workMs = 120_000;
/** Many times as long as a simulation takes until somebody has stopped it. */
const manySeeds = { first: 1, count: 20 };

let stack: Stack;
let witness: PublishingWitness;
let endpoint: RecordingAgent;
/** One with a review: another strength of the prior moves it. */
let agent: Member;
beforeAll(async () => {
  witness = await startPublishingWitness('witness.test/w1');
  stack = await startStack({
    ephemeral: true,
    fsync: false,
    env: { ...process.env, ...beginsWithV1, CONSOLE: 'on', LOG_WITNESSES: witness.setting },
  });
  endpoint = await startRecordingAgent();
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const caller = await registerAgent(http, { key });
  agent = await registerAgent(http, { fields: { endpoint_url: endpoint.url } });
  const called = await http.post('/call', callBody(caller, agent.agentId), bearer(caller.key));
  const reviewed = await http.post(
    '/review',
    {
      caller_agent_id: caller.agentId,
      receiver_agent_id: agent.agentId,
      transaction_id: called.body['transaction_id'],
      success: true,
      score: 10,
    },
    bearer(caller.key),
  );
  if (reviewed.status !== 200)
    throw new Error(`the review returned ${reviewed.status}: ${called.text} ${reviewed.text}`);
});
afterAll(async () => {
  await endpoint?.stop();
  await stack?.stop();
  await witness?.stop();
});

/** A connection of the owner of the database, until the test is over. */
const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: stack.postgresUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};
/** Nobody reads or writes a table, until this is released. */
const hold = async (table: string): Promise<{ release: () => Promise<unknown> }> => {
  const client = await connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return { release: () => client.query('ROLLBACK') };
};
const opsGet = (path: string) => httpTo(stack.url).get(path, bearer(stack.adminToken));

describeConsole(
  'the console of a registry of its own',
  (console) => {
    const visitAsOperator = async (path: string, options?: VisitOptions): Promise<Visit> => {
      const visit = await console.visit(path, options);
      await console.signIn(visit, stack.adminToken, operators);
      return visit;
    };
    /** How far the work is that begins so; its text begins with the step. */
    const progressOf = (page: Page, step: string) =>
      page.locator('label', { hasText: new RegExp(`^${step}`, 'u') }).getByRole('progressbar');
    /** Takes a copy of the policy in force to the lab, under which the agent has another score. */
    const takeToLab = async (page: Page): Promise<string> => {
      const name = unique('lab').toLowerCase();
      await page.getByLabel('strength', { exact: true }).fill('50');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Take it to the lab' }).click();
      return name;
    };

    it('shows when the log was last witnessed, and says what it could not read', async () => {
      const visit = await visitAsOperator('/system');
      const { page } = visit;
      await page.getByText('not yet, by witness.test/w1').waitFor();
      await page.getByText("The log's witness witness.test/w1 cannot be read: its address answered 404.").waitFor();
      await witness.witness(stack.url);
      const witnessed = page.getByText(/, \d+ events, by witness\.test\/w1$/u);
      await witnessed.waitFor({ timeout: workMs });
      await page.getByText('All is well.').waitFor();
      expect((await opsGet('/ops/status')).body).toMatchObject({
        checkpoint: { witnessed_at: expect.any(String) as string },
        witnesses: [{ name: witness.name, fault: null }],
      });
      expect(await visit.axe()).toEqual([]);
    });

    it('watches a replay to its end', async () => {
      const visit = await visitAsOperator('/system');
      const { page } = visit;
      await page.getByText('Nobody has replayed the read models of this registry yet.').waitFor();
      const held = await hold('read_models.trust_history');
      const begin = page.getByRole('button', { name: 'Replay the read models' });
      await begin.click();
      const dialog = page.getByRole('dialog', { name: 'Replay the read models?' });
      await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
      // All events are read, and the comparison with the live read models waits.
      const progress = progressOf(page, String.raw`compare: (\d+) of \1 events, `);
      await progress.waitFor({ timeout: workMs });
      expect(await progress.getAttribute('value')).toBe('100');
      expect(await begin.isDisabled()).toBe(true);
      await visit.photograph('system-replay');
      await held.release();

      const row = page.getByRole('table', { name: 'The last replays' }).locator('tbody tr');
      await row.getByText('switched', { exact: true }).waitFor({ timeout: workMs });
      expect(await row.textContent()).toMatch(/\d+ events in .+; 0 of \d+ rows differ/u);
      expect(await page.getByRole('progressbar').count()).toBe(0);
      expect(await begin.isEnabled()).toBe(true);
      expect((await opsGet('/ops/replays')).list).toMatchObject([{ state: 'switched', requested_by: 'admin' }]);
    });

    it('stops a trial that runs, during which a second one is refused, and has another one to its end', async () => {
      const visit = await visitAsOperator('/policy-lab', { provokes: [/409.*\/ops\/policy-trials$/u] });
      const { page } = visit;
      await takeToLab(page);
      // The process of the trial waits at its start until the log is held.
      const starts = await connect();
      await starts.query("SELECT pg_advisory_lock(hashtextextended('migrate:policy_lab', 0))");
      const [begun] = await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith('/ops/policy-trials')),
        page.getByRole('button', { name: 'Compute' }).click(),
      ]);
      expect(begun.status()).toBe(202);
      // The one that runs stays in sight.
      const [refused] = await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith('/ops/policy-trials')),
        page.getByRole('button', { name: 'Compute again' }).click(),
      ]);
      expect(refused.status()).toBe(409);
      await page.getByRole('alert').waitFor();
      const log = await hold('event_log.events');
      await starts.query("SELECT pg_advisory_unlock(hashtextextended('migrate:policy_lab', 0))");
      await progressOf(page, 'compare').waitFor({ timeout: workMs });
      expect(await visit.axe()).toEqual([]);

      const [stopped] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'DELETE'),
        page.getByRole('button', { name: 'Stop it' }).click(),
      ]);
      expect(stopped.status()).toBeLessThan(300);
      await untilReported(starts);
      await log.release();
      const end = page.getByRole('alert').filter({ hasText: 'It was stopped' });
      await end.waitFor({ timeout: workMs });
      expect(await page.getByRole('progressbar').count()).toBe(0);
      const result = page.getByRole('table', { name: 'Across thresholds' });
      expect(await result.count()).toBe(0);
      const [{ trial_id: id } = {}] = (await opsGet('/ops/policy-trials')).list;
      expect((await opsGet(`/ops/policy-trials/${String(id)}`)).body).toMatchObject({ state: 'stopped', result: null });

      await page.getByRole('button', { name: 'Compute again' }).click();
      await result.waitFor({ timeout: workMs });
      expect(await end.count()).toBe(0);
    });

    it('stops a simulation that runs', async () => {
      const visit = await visitAsOperator('/policy-lab');
      const { page } = visit;
      // With more seeds than the page asks for, so that it lasts.
      await page.route('**/ops/policy-simulations', (route) => {
        const asked = route.request().postDataJSON() as Record<string, unknown>;
        return route.continue({ postData: JSON.stringify({ ...asked, seeds: manySeeds }) });
      });
      await takeToLab(page);
      await page.getByRole('button', { name: 'Attack it' }).click();
      // The first answer of a simulation that runs names the attack that is played.
      await page.getByText(/^\d+ of \d+ attacks played\.$/u).waitFor({ timeout: workMs });
      await page.locator('label', { hasNotText: 'It starts.' }).getByRole('progressbar').waitFor({ timeout: workMs });
      expect(await visit.axe()).toEqual([]);
      await page.getByRole('button', { name: 'Stop it' }).click();
      await page.getByRole('alert').filter({ hasText: 'It was stopped' }).waitFor({ timeout: workMs });
      expect(await page.getByRole('progressbar').count()).toBe(0);
      expect(await page.getByText('Every gate held').count()).toBe(0);
      const [simulation] = (await opsGet('/ops/policy-simulations')).list;
      expect(simulation).toMatchObject({ state: 'stopped' });
      expect(await page.getByRole('button', { name: 'Attack it again' }).isEnabled()).toBe(true);
    });

    it('puts a policy in force, and says so when it is', async () => {
      const visit = await visitAsOperator('/policy-lab');
      const { page } = visit;
      const known = page.getByRole('table', { name: 'Known policies' });
      await known.getByRole('row', { name: /^v1 yes/u }).waitFor();
      const name = await takeToLab(page);
      await page.getByRole('button', { name: `Activate ${name}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Activate this policy?' });
      expect(await visit.axe()).toEqual([]);
      await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
      const end = page.getByRole('status').filter({ hasText: `${name} is in force from position` });
      await end.waitFor({ timeout: workMs });
      expect(await end.textContent()).toContain('1 of 2 agents moved');
      await known.getByRole('row', { name: new RegExp(`^${name} yes`, 'u') }).waitFor();
      await known.getByRole('row', { name: /^v1 no/u }).waitFor();
      await visit.photograph('policy-lab-activated');
      expect((await opsGet('/ops/policies')).body['in_force']).toBe(name);

      // The keys stay while the reader goes on in the tab.
      const navigation = page.getByRole('navigation', { name: 'Pages' });
      await navigation.getByRole('link', { name: 'System' }).click();
      const newest = page.getByRole('table', { name: 'The last replays' }).locator('tbody tr').first();
      await newest.getByText('switched', { exact: true }).waitFor();
      const { body: explained } = await httpTo(stack.url).get(`/agent/${agent.agentId}/trust`);
      expect(explained).toMatchObject({ trust_policy: name, strength: 50 });
      await visit.goTo(`/agents/${agent.agentId}`);
      const sum = Number(explained['unrounded']).toFixed(2);
      await page.getByRole('table', { name: `Parts of the score; their points add up to ${sum}` }).waitFor();
      await page.getByText('As a table').click();
      await page.getByRole('button', { name: /^TrustPolicyActivated/u }).waitFor();
    });
  },
  () => stack.url,
);

/** Until the process of a trial knows that it was cancelled: the answer to its next report says so. */
const untilReported = async (database: pg.Client): Promise<void> => {
  const { rows } = await database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await waitFor(
    async () => {
      const reports = await database.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%AS "isCancelled"%' AND pid <> pg_backend_pid() AND state = 'idle' AND query_start > $1`,
        [rows[0]?.now],
      );
      return reports.rowCount !== 0;
    },
    { description: 'a report of the trial' },
  );
};
