/** The page of an agent, in a real browser, with calls and reviews that the test makes. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  adminToken,
  call,
  createOrg,
  get,
  join,
  type Member,
  type Org,
  post,
  review,
  stack,
} from '../../support/ask.ts';
import { brokenWords } from '../../support/console/broken-words.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { asHiddenTab } from '../../support/console/hidden-tab.ts';
import { type RecordingAgent, startRecordingAgent } from '../../support/recording-agent.ts';
import { textMessage, unique } from '../../support/registry.ts';

const hostile = `<img src=x onerror=alert(1)> \u202Etxet desrever\u202C ${'w'.repeat(60)}`;

let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
let agent: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  caller = await join(org.key, { org_domain: `${unique('d')}.example` });
  agent = await join({}, { endpoint_url: endpoint.url, capabilities: ['price_quote'], specialty: hostile });
  await reviewed(9);
  await reviewed(2);
});
afterAll(() => endpoint.stop());

/** Has the agent called and reviewed. @returns the id of the exchange */
const reviewed = async (score: number, success = true, of = agent): Promise<unknown> => {
  const { body } = await call(caller, of.agentId, textMessage('hello'));
  const answer = await review(caller, of.agentId, { transaction_id: body['transaction_id'], score, success });
  expect(answer.status).toBe(200);
  return body['transaction_id'];
};

describeConsole('the page of an agent', (console) => {
  it('explains the score without a credential, and shows what agents wrote as text', async () => {
    const visit = await console.visit(`/agents/${agent.agentId}`);
    const { page } = visit;
    await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    await page.getByRole('heading', { name: 'History of the score' }).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    const table = page.getByRole('table', { name: /^Parts of the score/u });
    const points = await table.locator('tbody td:nth-child(2)').allTextContents();
    const sum = points.reduce((total, text) => total + Number(text), 0);
    const caption = await table.locator('caption').textContent();
    expect(sum).toBeCloseTo(Number(/[\d.]+$/u.exec(caption ?? '')?.[0]), 1);
    await page.getByRole('table', { name: /^The newest 2 of 2 reviews/u }).waitFor();
    await visit.photograph('agent');
    const narrow = await console.visit(`/agents/${agent.agentId}`, { widthPx: 360, provokes: [/422/u] });
    // The profile, the score and its history come each by a request of its own.
    await narrow.page.getByRole('heading', { name: 'Counterparties' }).waitFor();
    await narrow.page.getByRole('table', { name: /^The newest 2 of 2 reviews/u }).waitFor();
    await narrow.page.getByRole('heading', { name: 'History of the score' }).waitFor();
    expect(await narrow.overflowPx()).toBe(0);
    expect(await brokenWords(narrow.page)).toEqual([]);
    await narrow.goTo(`/agents/${agent.agentId}?as_of=${'9'.repeat(400)}`);
    await narrow.page.getByText('must be an RFC 3339 time').waitFor();
    // It comes with the history, and has the long moment beside it.
    await narrow.page.getByRole('slider', { name: 'Moment that the page shows' }).waitFor();
    expect(await narrow.overflowPx()).toBe(0);
  });

  it('says in words what the verdict rests on, what the agent does, and why a review does not count', async () => {
    const owner = await createOrg();
    const domain = `${unique('d')}.example`;
    const capabilities = [{ name: 'price_quote', weight: 2 }];
    const shown = await join(owner.key, { org_domain: domain, endpoint_url: endpoint.url, capabilities });
    await reviewed(9, true, shown);
    await reviewed(2, false, shown);
    const forged = await reviewed(1, false, shown);
    const selection = { transaction_ids: [forged], reason: 'Made with a stolen key.', dry_run: false };
    expect((await post('/ops/reviews/void', selection, adminToken)).status).toBe(200);

    const { page } = await console.visit(`/agents/${shown.agentId}`);
    const reviews = page.getByRole('table', { name: 'The newest 3 of 3 reviews' });
    await reviews.waitFor();
    const heads = await reviews.getByRole('columnheader').allTextContents();
    const column = (head: string): Promise<string[]> =>
      reviews.locator(`tbody tr > :nth-child(${heads.indexOf(head) + 1})`).allTextContents();
    expect(await column('Counted')).toEqual(['No: voided by the operator', 'Yes', 'Yes']);
    expect(await column('Score')).toEqual(['1 of 10, failure', '2 of 10, failure', '9 of 10, success']);

    const { body } = await get(`/agent/${shown.agentId}`);
    const verdict = page.getByRole('region', { name: 'Verdict', exact: true });
    await verdict.waitFor();
    expect(body['recommended_action']).toBe('proceed_with_limits');
    expect(await verdict.getByRole('paragraph').allTextContents()).toEqual([
      `${String(body['trust_score'])}Proceed with limits`,
      'The score is from 50 to 69: keep amounts small, or ask for more proof.',
      `Verified. The organisation ${owner.name} vouches for it, and is taken at its word that ${domain} is its own.`,
    ]);
    const does = page.getByRole('region', { name: 'What it does' });
    expect(await does.getByRole('listitem').allTextContents()).toEqual(['price_quote (weight 2 of 3)']);
    const { p50_answer_ms: half } = body['liveness'] as { p50_answer_ms: number };
    expect(await does.locator('dl > div').allTextContents()).toEqual(
      expect.arrayContaining([
        'Success rate50 %',
        'Calls answered3',
        `Answers lately100 % of the last 3, half of them within ${half.toLocaleString('en')} ms`,
      ]),
    );
    // Of an agent that belongs to nobody, and before it was called.
    const unknown = await join();
    const others = await console.visit(`/agents/${unknown.agentId}`);
    const itsVerdict = others.page.getByRole('region', { name: 'Verdict', exact: true });
    await itsVerdict.getByText('Nobody vouches for this agent: it belongs to no organisation').waitFor();
    await itsVerdict.getByText('Abort', { exact: true }).waitFor();
    expect(await itsVerdict.getByRole('listitem').allTextContents()).toContain('Has not answered any call yet');
    expect(await others.page.locator('dl > div').allTextContents()).toEqual(
      expect.arrayContaining(['Success rate–', 'Calls answered0', 'Answers lately–']),
    );
  });

  it('shows a contact as text, now and in the past', async () => {
    const contacted = await join({}, { contact_info: hostile });
    const { body: before } = await get(`/agent/${contacted.agentId}/trust`);
    const { position } = before['as_of'] as { position: string };
    const visit = await console.visit(`/agents/${contacted.agentId}`, { widthPx: 360 });
    const { page } = visit;
    const contact = page.locator('dt', { hasText: 'Contact' }).locator('xpath=following-sibling::dd');
    await contact.waitFor();
    expect(await contact.textContent()).toBe(hostile);
    // The characters that turn text around end where the contact does.
    expect(await contact.locator('bdi').textContent()).toBe(hostile);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await visit.overflowPx()).toBe(0);
    expect(await visit.axe()).toEqual([]);

    const changed = { agent_id: contacted.agentId, contact_info: 'room 7' };
    expect((await post('/update', changed, contacted.auth)).status).toBe(200);
    await visit.goTo(`/agents/${contacted.agentId}?as_of=${position}&compare=now`);
    const differences = page.getByRole('table', { name: 'What has changed since that moment' });
    const row = differences.getByRole('row', { name: /^Contact/u });
    await row.waitFor();
    expect(await row.locator('th, td').allTextContents()).toEqual(['Contact', hostile, 'room 7']);
    expect(await row.locator('bdi').allTextContents()).toEqual(['Contact', hostile, 'room 7']);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await visit.overflowPx()).toBe(0);
  });

  it('checks a receipt and a signed verdict in the browser', async () => {
    const visit = await console.visit(`/agents/${agent.agentId}`);
    const { page } = visit;
    await page
      .getByRole('button', { name: /^Check/u })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Receipt of a review' });
    await dialog.getByText('The receipt holds.').waitFor();
    // The path is drawn, and said in the list: the leaf, its neighbours, and the root.
    const path = dialog.getByRole('list').last().getByRole('listitem');
    const neighbours = await path.filter({ hasText: 'neighbour' }).count();
    expect(neighbours).toBeGreaterThan(0);
    expect(await path.count()).toBe(neighbours + 2);
    expect(await dialog.locator('svg').isVisible()).toBe(true);
    expect(await dialog.locator('svg text').count()).toBe(neighbours + 2);
    await dialog.getByRole('heading', { name: 'Key of the checkpoint' }).waitFor();
    const { verifier_key: key } = (await get('/log/key')).body;
    expect(await dialog.locator('code').last().textContent()).toBe(key);
    expect(await visit.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Get a signed verdict and check it' }).click();
    await page.getByText('The signature holds.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says of a receipt that was changed on its way that it does not hold', async () => {
    const { page } = await console.visit(`/agents/${agent.agentId}`, {
      before: (opened) =>
        opened.route('**/trust/receipt/**', async (route) => {
          const answer = await route.fetch();
          const receipt = (await answer.json()) as { hashes: string[]; leaf_hash: string };
          const leafHash = `${receipt.leaf_hash.startsWith('0') ? '1' : '0'}${receipt.leaf_hash.slice(1)}`;
          await route.fulfill({ response: answer, json: { ...receipt, leaf_hash: leafHash } });
        }),
    });
    await page
      .getByRole('button', { name: /^Check/u })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByText('The receipt holds.').count()).toBe(0);
  });

  it('shows the past by keyboard, and compares it with now', async () => {
    const visit = await console.visit(`/agents/${agent.agentId}`);
    const { page } = visit;
    await page.getByText('As a table').click();
    const changes = page.getByRole('table', { name: 'Changes of the score' }).getByRole('rowheader');
    const changesNow = (await get(`/agent/${agent.agentId}/trust/history`)).body['history'] as unknown[];
    expect(changesNow.length).toBeGreaterThan(1);
    await expect.poll(() => changes.count()).toBe(changesNow.length);
    await page.getByRole('slider', { name: 'Moment that the page shows' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('No reviews yet.').waitFor();
    await expect.poll(() => changes.count()).toBe(1);
    expect(page.url()).toMatch(/\?as_of=\d+$/u);
    await page.getByLabel('Compare with now').check();
    await page.getByRole('row', { name: /^Success rate/u }).waitFor();
    await visit.photograph('agent-compared');
    // Every part of the page, not the profile alone.
    const counterparties = page.getByRole('table', { name: 'Counterparties since then' });
    await counterparties.getByRole('row', { name: `${caller.agentId} – 2 reviews, 5.5 of 10` }).waitFor();
    const together = page
      .getByRole('table', { name: 'Parts of the score, in points' })
      .getByRole('row', { name: /^Together/u });
    expect(await together.textContent()).toMatch(/^Together40\.00\d\d\.\d\d$/u);
    const reviews = page.getByRole('table', { name: /^Whether reviews count/u });
    expect(await reviews.getByRole('row', { name: /Not yet there/u }).count()).toBe(2);
    await page.getByText('It signs what holds now').waitFor();
    expect(await changes.count()).toBe(1);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('table', { name: /^The newest 2 of 2 reviews/u }).waitFor();
    await expect.poll(() => changes.count()).toBe(changesNow.length);
  });

  it('names each step of the chart, and opens its cause', async () => {
    const { page } = await console.visit(`/agents/${agent.agentId}`);
    // What comes above the chart later would move it away from under the pointer.
    await page.getByRole('region', { name: 'Verdict', exact: true }).waitFor();
    const steps = page.getByRole('img', { name: /^The score over time/u }).locator('.u-over');
    await steps.hover({ position: { x: 2, y: 50 } });
    await page.getByText(/: AgentRegistered, begins at 40$/u).waitFor();
    await steps.click({ position: { x: 2, y: 50 } });
    const dialog = page.getByRole('dialog', { name: 'Cause of the change' });
    await dialog.getByText('AgentRegistered').waitFor();
    await dialog.getByRole('link', { name: 'The whole page as of this change' }).click();
    await page.getByText('No reviews yet.').waitFor();
    expect(page.url()).toMatch(/\?as_of=\d+$/u);
  });

  it('says of a moment before the registration that the agent was not there', async () => {
    const { page } = await console.visit(`/agents/${agent.agentId}?as_of=0`, { provokes: [/404/u] });
    await page.getByText('At this moment the agent was not registered').waitFor();
    await page.getByRole('slider', { name: 'Moment that the page shows' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('table', { name: /^The newest 2 of 2 reviews/u }).waitFor();
  });

  it('says once that there is no such agent, or no such moment', async () => {
    const finished = new Set<string>();
    const answers = (): number => [...finished].filter((path) => path.startsWith('/agent/')).length;
    const nobody = unique('nobody');
    const { page, goTo, asked } = await console.visit(`/agents/${nobody}`, {
      provokes: [/404/u, /422/u],
      before: async (opened) => {
        opened.on('requestfinished', (request) => finished.add(new URL(request.url()).pathname));
        await opened.clock.install();
      },
    });
    await page.getByText('No agent with this id is registered').waitFor();
    // The profile, the score and its history are each refused.
    await expect.poll(answers).toBe(3);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Signed verdict' }).count()).toBe(0);
    // Longer than the page waits before it asks again for an agent.
    await page.clock.fastForward(60_000);
    await goTo(`/agents/${agent.agentId}?as_of=yesterday&compare=now`);
    await page.getByText('must be an RFC 3339 time').waitFor();
    expect(asked.filter((request) => request.startsWith(`GET /agent/${nobody}`))).toHaveLength(3);
    await expect.poll(answers).toBe(6);
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('heading', { name: 'Why this score' }).waitFor();
  });

  it('opens the cause of a change', async () => {
    const { page } = await console.visit(`/agents/${agent.agentId}`);
    await page.getByText('As a table').click();
    await page
      .getByRole('button', { name: /^ExchangeReviewed/u })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Cause of the change' });
    await dialog.getByRole('link', { name: 'This event in the audit trail' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows a refusal with its code, and works again after it', async () => {
    let isDown = true;
    const { page } = await console.visit(`/agents/${agent.agentId}`, {
      provokes: [/503/u],
      before: (opened) =>
        opened.route('**/agent/*/trust?**', (route) =>
          isDown
            ? route.fulfill({ status: 503, json: { detail: 'too busy', code: 'overloaded', request_id: 'r-503' } })
            : route.continue(),
        ),
    });
    const alert = page.getByRole('alert').first();
    await alert.getByText('r-503').waitFor();
    isDown = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a review that is made while it is open, without being loaded again', async () => {
    const endpoint = await startRecordingAgent();
    onTestFinished(() => endpoint.stop());
    const owner = await createOrg();
    const reviewedAgent = await join(owner.key, { endpoint_url: endpoint.url });
    const path = `/agents/${reviewedAgent.agentId}`;
    // Operators and owners follow its events. In a tab that nobody sees, no page asks by itself.
    const operators = await console.visit(path, { before: asHiddenTab });
    await console.signIn(operators, stack.adminToken, "An operator's key or token");
    const owners = await console.visit(path, { before: asHiddenTab });
    await console.signIn(owners, owner.key['x-api-key'] ?? '');
    for (const { page } of [operators, owners]) await page.getByText('Live', { exact: true }).waitFor();
    // Everybody else asks now and then.
    const anybodys = await console.visit(path);
    const visits = [operators, owners, anybodys];
    for (const { page } of visits) {
      await page.getByText('No reviews yet.').waitFor();
      // A history that is still asked for when the review comes may be answered without it.
      await page.getByRole('heading', { name: 'History of the score' }).waitFor();
      await page.evaluate("globalThis.isTheSamePage = 'yes'");
    }

    const { body } = await call(caller, reviewedAgent.agentId, textMessage('hello'));
    const answer = await review(caller, reviewedAgent.agentId, { transaction_id: body['transaction_id'], score: 2 });
    expect(answer.status).toBe(200);
    const { body: explained } = await get(`/agent/${reviewedAgent.agentId}/trust`);
    const sum = Number(explained['unrounded']).toFixed(2);
    for (const { page } of visits) {
      await page.getByRole('table', { name: 'The newest 1 of 1 reviews' }).waitFor();
      await page.getByRole('table', { name: `Parts of the score; their points add up to ${sum}` }).waitFor();
      await page.getByText('As a table').click();
      await page.getByRole('button', { name: /^ExchangeReviewed/u }).waitFor();
      expect(await page.evaluate('globalThis.isTheSamePage')).toBe('yes');
    }
  });

  it('goes back through a long history, and on again', async () => {
    const { agentId } = await join({});
    const database = new pg.Client({ connectionString: stack.readModelsUrl });
    await database.connect();
    try {
      // Rows inserted by the test, after the one of the registration: a thousand reviews would take minutes.
      await database.query(
        `INSERT INTO read_models.trust_history (agent_id, position, at, trust_policy, trust_score, previous_score, cause_type, cause_event_id)
         SELECT agent_id, position + n, at + n * interval '1 second', trust_policy, 50 + n % 7, 50 + (n + 6) % 7, 'ExchangeReviewed', gen_random_uuid()
         FROM read_models.trust_history, generate_series(1, 1202) n WHERE agent_id = $1`,
        [agentId],
      );
      const visit = await console.visit(`/agents/${agentId}`, { widthPx: 360 });
      const { page } = visit;
      const parts = page.getByRole('navigation', { name: 'Parts of the history' });
      const [older, newer] = [
        parts.getByRole('button', { name: 'Older changes' }),
        parts.getByRole('button', { name: 'Newer changes' }),
      ];
      const isAt = (text: string): Promise<void> => parts.getByText(text).waitFor();
      await isAt('Changes 704 to 1,203 of 1,203');
      expect(await newer.isDisabled()).toBe(true);
      await older.click();
      await isAt('Changes 204 to 703 of 1,203');
      await older.click();
      await isAt('Changes 1 to 203 of 1,203');
      expect(await older.isDisabled()).toBe(true);
      expect(await visit.axe()).toEqual([]);
      expect(await visit.overflowPx()).toBe(0);
      await newer.click();
      await isAt('Changes 204 to 703 of 1,203');
      await newer.click();
      await isAt('Changes 704 to 1,203 of 1,203');

      // A moment long before those that are shown at first.
      const { body } = await get(`/agent/${agentId}/trust/history?limit=1`);
      const [registered] = body['history'] as { position: string }[];
      await visit.goTo(`/agents/${agentId}?as_of=${registered?.position}`);
      await page.getByText('As a table').click();
      const cause = page.getByRole('table', { name: 'Changes of the score' }).getByRole('button');
      await cause.waitFor();
      expect(await cause.allTextContents()).toEqual([`AgentRegistered at position ${registered?.position}`]);
      expect(await parts.count()).toBe(0);
    } finally {
      await database.query(
        `DELETE FROM read_models.trust_history WHERE agent_id = $1 AND cause_type = 'ExchangeReviewed'`,
        [agentId],
      );
      await database.end();
    }
  });
});
