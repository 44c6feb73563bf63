/** The events of the log in a real browser: filters, one request's events, the proof of an event, new events, and who may see what. */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { adminToken, call, createOrg, get, join, post, review, stack } from '../../support/ask.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { type RecordingAgent, startRecordingAgent } from '../../support/recording-agent.ts';
import { textMessage, unique } from '../../support/registry.ts';

const operators = "An operator's key or token";

/** What an event's panel says of its cause. */
const causeIn = (panel: Locator): Locator =>
  panel.getByRole('term').filter({ hasText: 'Caused by' }).locator('xpath=following-sibling::dd');

/** A receiver at an endpoint, and a caller, of an organisation each. */
const twoParties = async (endpoint: RecordingAgent) => {
  const [ours, theirs] = [await createOrg(), await createOrg()];
  const receiver = await join(ours.key, { endpoint_url: endpoint.url });
  return { ours, theirs, receiver, caller: await join(theirs.key) };
};

describeConsole('the audit page', (console) => {
  it('shows nothing without a credential', async () => {
    const visit = await console.visit('/audit');
    await visit.page.getByText('Sign in to see events').waitFor();
    expect(await visit.page.getByRole('table').count()).toBe(0);
  });

  it('finds events by filters, and proves one in the browser', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const visit = await console.visit('/audit');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByLabel('Agent', { exact: true }).fill(agentId);
    await page.getByLabel('Kinds').fill('AgentRegistered, AgentRetired');
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Events, newest first' });
    // Before the filters take effect, the list may have the events of all agents.
    await expect.poll(() => table.getByRole('rowheader').count()).toBe(1);
    await table
      .getByRole('row')
      .filter({ hasText: `agent-${agentId}` })
      .waitFor();
    await visit.photograph('audit');

    await table.getByRole('rowheader').getByRole('link').click();
    const panel = page.getByRole('dialog', { name: /^Event at position/u });
    await panel.getByRole('region', { name: 'Data of the event' }).waitFor();
    expect(await panel.textContent()).toContain(agentId);
    await panel.getByRole('button', { name: 'Check that it is in the log' }).click();
    await panel.getByText('The event is in the signed log.').waitFor();
    // No event of a call caused it.
    expect(await causeIn(panel).textContent()).toBe('its request');
    const trace = panel.getByRole('link', { name: 'The trace of its request' });
    expect(await trace.getAttribute('href')).toMatch(/^https:\/\/traces\.test\/trace\/[0-9a-f]{32}$/u);
    // Another tab: this one would lose its keys. And that one gets no hold of this one.
    expect([await trace.getAttribute('target'), await trace.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    await visit.photograph('audit-event');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await page.waitForURL(({ searchParams }) => !searchParams.has('position'));
  });

  // Bug: the form asks for another agent's events than the one whose id was typed.
  it('asks for an agent with the spaces of its id', async () => {
    const org = await createOrg();
    const agentId = unique('lead');
    for (const id of [agentId, `${agentId} `]) await join(org.key, { agent_id: id });
    const visit = await console.visit('/audit');
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    for (const id of [agentId, `${agentId} `]) {
      await page.getByLabel('Agent', { exact: true }).fill(id);
      await page.getByLabel('Kinds').fill(' AgentRegistered ');
      await page.keyboard.press('Enter');
      await page.waitForURL(({ searchParams }) => searchParams.get('agent_id') === id);
      const streams = page.getByRole('table', { name: 'Events, newest first' }).locator('tbody tr');
      await expect
        .poll(async () => (await streams.allTextContents()).filter((row) => row.includes(`agent-${id}`)).length)
        .toBe(1);
    }
  });

  it('finds events by the credential, the organisation and the time', async () => {
    const [org, other] = [await createOrg(), await createOrg()];
    const { agentId, auth } = await join(org.key);
    expect((await post('/update', { agent_id: agentId, specialty: 'quotes' }, auth)).status).toBe(200);
    const { list } = await get(`/ops/events?agent_id=${agentId}&order=desc`, adminToken);
    const kinds = list.map(({ type }) => type);
    expect([kinds[0], kinds.at(-1)]).toEqual(['ConfigurationChanged', 'AgentRegistered']);

    const visit = await console.visit(`/audit?agent_id=${agentId}`);
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    const shown = page.getByRole('table', { name: 'Events, newest first' }).locator('tbody tr > :nth-child(3)');
    const finds = async (label: string, text: string, expected: readonly unknown[]): Promise<void> => {
      const field = page.getByLabel(label, { exact: true });
      await field.fill(text);
      await field.press('Enter');
      if (expected.length === 0) await page.getByText('No event has all of this').waitFor();
      await expect.poll(() => shown.allTextContents()).toEqual(expected);
      await field.fill('');
    };
    await finds('Credential', 'agent_key', ['ConfigurationChanged']);
    await finds('Credential', 'production_key', ['ClaimIssued', 'AgentRegistered']);
    await finds('Organisation', org.name, kinds);
    await finds('Organisation', other.name, []);
    await finds('From', String(list[0]?.['recorded_at']), ['ConfigurationChanged']);
    await finds('From', '2999-01-01T00:00:00Z', []);
    expect(new URL(page.url()).searchParams.get('from')).toBe('2999-01-01T00:00:00Z');
  });

  it("shows a call's events together, and opens the cause of each, to both of its owners", async () => {
    const endpoint = await startRecordingAgent();
    try {
      const { ours, theirs, receiver, caller } = await twoParties(endpoint);
      const called = await call(caller, receiver.agentId, textMessage('hello'));
      const transactionId = String(called.body['transaction_id']);
      expect((await review(caller, receiver.agentId, { transaction_id: transactionId })).status).toBe(200);
      const types = ['ExchangeStarted', 'ExchangeCompleted', 'ExchangeReviewed'];
      for (const [key, agentId] of [
        [ours.key['x-api-key'], receiver.agentId],
        [theirs.key['x-api-key'], caller.agentId],
      ] as const) {
        const visit = await console.visit(`/audit?agent_id=${agentId}&transaction_id=${transactionId}`);
        const { page } = visit;
        await console.signIn(visit, key ?? '');
        const table = page.getByRole('table', { name: 'Events, newest first' });
        await table.waitFor();
        expect(await table.getByRole('rowheader').count()).toBe(types.length);
        await table.getByRole('rowheader').first().getByRole('link').click();
        const panel = page.getByRole('dialog', { name: /^Event at position/u });
        const together = panel.getByRole('list', { name: 'All events of its call' });
        await together.waitFor();
        expect(await together.getByRole('listitem').allTextContents()).toEqual([
          'ExchangeStarted, caused by its request',
          'ExchangeCompleted, caused by ExchangeStarted',
          'ExchangeReviewed, caused by ExchangeCompleted',
        ]);
        // The review's own request, for its caller alone: what caused it is an event of another one.
        const ofRequest = panel.getByRole('list', { name: 'All events of its request' }).getByRole('listitem');
        const isCaller = agentId === caller.agentId;
        // The heading is there before its list is answered.
        const heading = panel.getByRole('heading', { name: 'All events of its request' });
        expect(await heading.count()).toBe(isCaller ? 1 : 0);
        await expect
          .poll(() => ofRequest.allTextContents())
          .toEqual(isCaller ? ['ExchangeReviewed, caused by ExchangeCompleted'] : []);
        expect(await visit.axe()).toEqual([]);
        // From an event to its cause, as far as it is recorded.
        for (const [event, cause] of types.map((type, at) => [type, types[at - 1] ?? 'its request']).toReversed()) {
          const facts = panel.getByRole('definition');
          await facts
            .filter({ hasText: new RegExp(`^${event}$`, 'u') })
            .first()
            .waitFor();
          const causedBy = causeIn(panel);
          await causedBy.filter({ hasText: cause ?? '' }).waitFor();
          if (cause !== 'its request') await causedBy.getByRole('link').click();
        }
        if (!isCaller) continue;
        // The panel shows the start of the call now, whose request recorded its end, too.
        await heading.waitFor();
        await expect
          .poll(() => ofRequest.allTextContents())
          .toEqual(['ExchangeStarted, caused by its request', 'ExchangeCompleted, caused by ExchangeStarted']);
        await visit.photograph('audit-call');
      }
    } finally {
      await endpoint.stop();
    }
  });

  it("shows that a call's review was voided later to the reviewed agent's owner, and to operators", async () => {
    const endpoint = await startRecordingAgent();
    try {
      const { ours, theirs, receiver, caller } = await twoParties(endpoint);
      const called = await call(caller, receiver.agentId, textMessage('hello'));
      const transactionId = String(called.body['transaction_id']);
      expect((await review(caller, receiver.agentId, { transaction_id: transactionId })).status).toBe(200);
      const selection = { transaction_ids: [transactionId], reason: 'Made with a stolen key.', dry_run: false };
      expect((await post('/ops/reviews/void', selection, adminToken)).status).toBe(200);
      const ofCall = ['ExchangeStarted', 'ExchangeCompleted', 'ExchangeReviewed'];
      for (const [agentId, key, kind, types] of [
        [receiver.agentId, ours.key['x-api-key'], undefined, [...ofCall, 'ReviewsVoided']],
        [receiver.agentId, stack.adminToken, operators, [...ofCall, 'ReviewsVoided']],
        [caller.agentId, theirs.key['x-api-key'], undefined, ofCall],
      ] as const) {
        const visit = await console.visit(`/audit?agent_id=${agentId}&transaction_id=${transactionId}`);
        const { page } = visit;
        await console.signIn(visit, key ?? '', kind);
        await page.getByRole('row').filter({ hasText: 'ExchangeStarted' }).getByRole('link').click();
        const panel = page.getByRole('dialog', { name: /^Event at position/u });
        const together = panel.getByRole('list', { name: 'All events of its call' });
        await together.waitFor();
        const shown = await together.getByRole('listitem').allTextContents();
        expect(shown.map((text) => text.split(',')[0])).toEqual(types);
        if (types.length === ofCall.length) continue;
        await together.getByRole('link', { name: 'ReviewsVoided' }).click();
        await panel.getByText('Made with a stolen key.').waitFor();
      }
    } finally {
      await endpoint.stop();
    }
  });

  it('proves to owners what they see whole, the review by its receipt, and of the rest that its hash is in the log', async () => {
    const endpoint = await startRecordingAgent();
    try {
      const { ours, receiver, caller } = await twoParties(endpoint);
      expect((await call(caller, receiver.agentId, textMessage('hello'))).status).toBe(200);
      expect((await review(caller, receiver.agentId)).status).toBe(200);
      expect((await post('/update', { agent_id: receiver.agentId, specialty: 'quotes' }, receiver.auth)).status).toBe(
        200,
      );
      const visit = await console.visit(`/audit?agent_id=${receiver.agentId}`, { widthPx: 360 });
      const { page } = visit;
      await console.signIn(visit, ours.key['x-api-key'] ?? '');
      const panel = page.getByRole('dialog', { name: /^Event at position/u });
      const check = async (type: string): Promise<void> => {
        await page
          .getByRole('row')
          .filter({ has: page.getByRole('cell', { name: type, exact: true }) })
          .getByRole('link')
          .click();
        await panel.getByRole('button', { name: 'Check that it is in the log' }).click();
        await panel.getByRole('heading', { name: 'Key of the checkpoint' }).waitFor();
      };
      const close = async (): Promise<void> => {
        await page.keyboard.press('Escape');
        await panel.waitFor({ state: 'hidden' });
      };
      const trace = panel.getByRole('link', { name: 'The trace of its request' });

      await check('ConfigurationChanged');
      await panel.getByText('The event is in the signed log.').waitFor();
      expect(await trace.getAttribute('href')).toMatch(/^https:\/\/traces\.test\/trace\/[0-9a-f]{32}$/u);
      // Drawn, and said in the list: the leaf, its neighbours, and the root.
      const path = panel.getByRole('list').last();
      const neighbours = await path.getByRole('listitem').filter({ hasText: 'neighbour' }).count();
      expect(neighbours).toBeGreaterThan(0);
      expect(await panel.locator('svg text').count()).toBe(neighbours + 2);
      expect(await panel.locator('svg').isVisible()).toBe(true);
      expect(await visit.overflowPx()).toBe(0);
      await panel.locator('svg').scrollIntoViewIfNeeded();
      await visit.photograph('audit-owner-proof');
      await close();

      await check('ExchangeReviewed');
      await panel.getByText('The receipt holds.').waitFor();
      await close();

      await check('KeyRotated');
      await panel.getByText('The hash of the event is in the signed log.').waitFor();
      expect(await panel.textContent()).not.toContain('The event is in the signed log.');
      await close();

      // The caller's request, and its trace, are the caller's alone.
      await check('ExchangeStarted');
      await panel.getByText('The hash of the event is in the signed log.').waitFor();
      expect(await trace.count()).toBe(0);
      expect(await visit.axe()).toEqual([]);
    } finally {
      await endpoint.stop();
    }
  });

  it('says so if an owner is shown something else than what the leaf has that comes with it', async () => {
    const org = await createOrg();
    const { agentId, auth } = await join(org.key);
    expect((await post('/update', { agent_id: agentId, specialty: 'quotes' }, auth)).status).toBe(200);
    const visit = await console.visit(`/audit?agent_id=${agentId}&type=ConfigurationChanged`, {
      before: async (page) =>
        page.route('**/org/agents/*/events?*', async (route) => {
          const answer = await route.fetch();
          const events = (await answer.json()) as { data: Record<string, unknown> }[];
          const changed = events.map((event) => ({ ...event, data: { ...event.data, changed_fields: [] } }));
          await route.fulfill({ response: answer, body: JSON.stringify(changed) });
        }),
    });
    const { page } = visit;
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await page.getByRole('rowheader').getByRole('link').click();
    const panel = page.getByRole('dialog', { name: /^Event at position/u });
    await panel.getByRole('button', { name: 'Check that it is in the log' }).click();
    await panel.getByRole('alert').waitFor();
    expect(await panel.getByText('is in the signed log').count()).toBe(0);
  });

  it('says that an event that was changed on the way is not the one in the log', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const visit = await console.visit(`/audit?agent_id=${agentId}&type=AgentRegistered`, {
      before: async (page) =>
        page.route('**/ops/events?*', async (route) => {
          const answer = await route.fetch();
          const events = (await answer.json()) as { data: Record<string, unknown> }[];
          await route.fulfill({
            response: answer,
            body: JSON.stringify(events.map((event) => ({ ...event, data: { ...event.data, trustPrior: 100 } }))),
          });
        }),
    });
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('rowheader').getByRole('link').click();
    const panel = page.getByRole('dialog', { name: /^Event at position/u });
    await panel.getByRole('button', { name: 'Check that it is in the log' }).click();
    await panel.getByRole('alert').waitFor();
    expect(await panel.textContent()).not.toContain('The event is in the signed log.');
  });

  it('shows what came before a position or a time, where there is nothing new to follow', async () => {
    const org = await createOrg();
    const { agentId, auth } = await join(org.key);
    expect((await post('/update', { agent_id: agentId, specialty: 'quotes' }, auth)).status).toBe(200);
    const visit = await console.visit(`/audit?agent_id=${agentId}`);
    const { page } = visit;
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    const newest = page.getByRole('cell', { name: 'ConfigurationChanged' });
    await newest.waitFor();
    const follow = page.getByLabel('Follow new events');
    expect(await follow.isEnabled()).toBe(true);
    const [position = ''] = await page.getByRole('rowheader').allTextContents();
    await page.getByLabel('Before position').fill(position);
    await page.keyboard.press('Enter');
    await newest.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'AgentRegistered' }).waitFor();
    expect(await follow.isDisabled()).toBe(true);
    await page.getByLabel('Before position').fill('');
    await page.getByLabel('Before', { exact: true }).fill('2999-01-01T00:00:00Z');
    await page.keyboard.press('Enter');
    await newest.waitFor();
    expect(await follow.isDisabled()).toBe(true);
  });

  it('follows new events, and saves what is shown', async () => {
    const org = await createOrg();
    const { agentId, auth } = await join(org.key);
    const visit = await console.visit(`/audit?agent_id=${agentId}`);
    const { page } = visit;
    await console.signIn(visit, stack.adminToken, operators);
    await page.getByRole('table', { name: 'Events, newest first' }).waitFor();
    await page.getByLabel('Follow new events').check();
    await page.getByText('Following; 0 new.').waitFor();
    expect((await post('/update', { agent_id: agentId, specialty: 'quotes' }, auth)).status).toBe(200);
    await page.getByRole('cell', { name: 'ConfigurationChanged' }).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as shown' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toContain('AgentRegistered');
    expect(types).toContain('ConfigurationChanged');
  });

  it('shows an organisation the events of its own agents alone', async () => {
    const [org, other] = [await createOrg(), await createOrg()];
    const own = await join(org.key);
    const foreign = await join(other.key);
    expect((await get(`/org/agents/${foreign.agentId}/events`, org.key)).status).toBe(404);
    const visit = await console.visit('/audit', { provokes: [/404/u] });
    const { page } = visit;
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    expect(await page.getByLabel('Operator', { exact: true }).count()).toBe(0);
    await page.getByLabel('Agent', { exact: true }).fill(own.agentId);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'AgentRegistered' }).waitFor();
    await page.getByLabel('Agent', { exact: true }).fill(foreign.agentId);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('agent_not_found');
  });
});
