/**
 * Every tool, called by the official client, with at least one success and one refusal. The client checks structured content against the
 * tool's output schema.
 */
import { listen } from '@agent-trust/dev-stack/demo-agents';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf } from '../support/agent-cards.ts';
import { createOrg, freshClient, get, join, type Member, type Org, profile } from '../support/ask.ts';
import { mcpClient, mcpTransports } from '../support/mcp-clients.ts';
import { freshDomain, publishProof } from '../support/domains.ts';
import { type Args, done, placesOf, refusedWith, type ToolClient, toolClient } from '../support/mcp-tools.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

/** Names similar to a capability and not known yet: an answer makes a name known to everybody. */
const closeName = { 'streamable HTTP': 'Book flights for groups', SSE: 'Book hotels for groups' };

describe.each(mcpTransports)('over %s', (transport) => {
  let agent: RecordingAgent;
  let respond: Respond;
  let org: Org;
  let receiver: Member;
  let anybody: ToolClient;
  const open: ToolClient[] = [];
  const connect = async (headers: Record<string, string> = {}): Promise<ToolClient> => {
    const client = await toolClient(headers, transport);
    open.push(client);
    return client;
  };
  beforeAll(async () => {
    agent = await startRecordingAgent((...all) => respond(...all));
    org = await createOrg();
    receiver = await join(org.key, { endpoint_url: agent.url, capabilities: ['ocr'] });
    anybody = await connect(freshClient());
  });
  afterAll(async () => {
    for (const client of open) await client.end();
    await agent.stop();
  });

  describe('a whole deal with tools alone', () => {
    it('register, claim, set the key, match, verify, call, review, answer, and read the result', async () => {
      respond = respondJson(200, { text: 'read' });
      const buyers = await createOrg();
      const { tool } = await connect({ ...buyers.key, ...freshClient() });
      const agent_id = unique('mcp-buyer');
      const registered = done(await tool('register_agent', { agent_id }));
      expect(registered).toMatchObject({ status: 'registered', trust_score: 75, agent_key: null });
      const { agent_key } = done(await tool('claim_bearer_key', { claim_link: registered['claim_link'] }));
      expect(done(await tool('set_agent_key', { agent_key }))).toMatchObject({ status: 'set' });

      const { result } = done(await tool('match_agents', { capabilities: ['OCR'], org_name: org.name })) as {
        result: Args[];
      };
      expect(result.map((found) => found['agent_id'])).toEqual([receiver.agentId]);
      expect(done(await tool('verify_agent', { agent_id: receiver.agentId }))['recommended_action']).toBe('proceed');
      const parties = { caller_agent_id: agent_id, agent_id: receiver.agentId };
      const called = done(await tool('call_agent', { ...parties, message: textMessage('a page') }));
      expect(called).toMatchObject({ agent_id: receiver.agentId, status_code: 200, body: { text: 'read' } });
      const verdict = { caller_agent_id: agent_id, receiver_agent_id: receiver.agentId, success: true, score: 10 };
      const { transaction_id } = called;
      expect(done(await tool('review_transaction', { transaction_id, ...verdict }))['transaction_count']).toBe(1);
      expect(refusedWith(await tool('review_transaction', { transaction_id, ...verdict }))).toBe('already_reviewed');
      const seller = await connect({ ...org.key, ...freshClient() });
      const thanks = { agent_id: receiver.agentId, transaction_id, text: 'Gladly.' };
      expect(done(await seller.tool('answer_review', thanks))['status']).toBe('answered');
      expect(refusedWith(await seller.tool('answer_review', thanks))).toBe('already_answered');
      expect(done(await tool('get_agent', { agent_id: receiver.agentId }))['ratings_received']).toMatchObject([
        { transaction_id, caller_agent_id: agent_id, score: 10, answer: { text: 'Gladly.' } },
      ]);
    });
  });

  describe('tools that read', () => {
    it('verify_agent and get_agent', async () => {
      expect(done(await anybody.tool('verify_agent', { agent_id: receiver.agentId }))['org_name']).toBe(org.name);
      const unknown = await anybody.tool('verify_agent', { agent_id: 'nobody/at all' });
      expect(refusedWith(unknown)).toBe('agent_not_found');
      expect(unknown.body).toMatchObject({ recommended_action: 'block', flags: ['unregistered'] });
      const { body } = await profile(receiver.agentId);
      expect(done(await anybody.tool('get_agent', { agent_id: receiver.agentId }))).toEqual(body);
      const missing = await anybody.tool('get_agent');
      expect([refusedWith(missing), placesOf(missing)]).toEqual(['validation_failed', ['arguments.agent_id']]);
    });

    it('match_agents, by either field for capabilities', async () => {
      const byEither = await Promise.all(
        ['capabilities', 'required_capabilities'].map((name) =>
          anybody.tool('match_agents', { [name]: ['ocr'], org_name: org.name, limit: 5 }),
        ),
      );
      expect(byEither.map((answer) => (done(answer)['result'] as Args[]).length)).toEqual([1, 1]);
      expect(refusedWith(await anybody.tool('match_agents'))).toBe('validation_failed');
      const odd = await anybody.tool('match_agents', { capabilities: ['ocr', 5] });
      expect([refusedWith(odd), placesOf(odd)]).toEqual(['validation_failed', ['arguments.capabilities.1']]);
      const long = await anybody.tool('match_agents', { required_capabilities: ['x'.repeat(51)] });
      expect(placesOf(long)).toEqual(['arguments.required_capabilities.0']);
    });

    it('list_registry, in pages', async () => {
      // Other tests register agents meanwhile: two pages belong to one list if both have the same total.
      const [first, last] = await waitFor(async () => {
        const page = done(await anybody.tool('list_registry', { limit: 1, min_trust_score: 1 }));
        const offset = Number(page['total']) - 1;
        const next = done(await anybody.tool('list_registry', { limit: 1, offset, min_trust_score: 1 }));
        return next['total'] === page['total'] ? ([page, next] as const) : null;
      });
      expect(first['result']).toHaveLength(1);
      expect(first['total']).toBeGreaterThanOrEqual(1);
      expect(last['next_offset']).toBeNull();
      const odd = await anybody.tool('list_registry', { limit: 201, offset: 1.5, min_trust_score: 'many' });
      expect([refusedWith(odd), placesOf(odd)]).toEqual([
        'validation_failed',
        ['arguments.limit', 'arguments.offset', 'arguments.min_trust_score'],
      ]);
    });

    it('find_organisation, get_organisation_record and get_record_history, as over HTTP', async () => {
      const { org_id } = done(await anybody.tool('find_organisation', { org_name: org.name.toUpperCase() }));
      expect((await profile(receiver.agentId)).body['org_id']).toBe(org_id);
      const nobody = await anybody.tool('find_organisation', { org_name: unique('nobody') });
      expect(refusedWith(nobody)).toBe('organisation_not_found');
      // Records are kept by policies of formula v2 alone; whichever is in force, both interfaces say the same.
      for (const [tool, path] of [
        ['get_organisation_record', `/organisation/${String(org_id)}/record`],
        ['get_record_history', `/organisation/${String(org_id)}/record/history`],
      ] as const) {
        const { status, body } = await get(path);
        const found = await anybody.tool(tool, { org_id, limit: 5 });
        const { as_of: _, ...said } = found.body;
        const { as_of: __, request_id: ___, ...overHttp } = body;
        const paged = status === 200 ? { next_offset: null } : {};
        expect([found.isError, said]).toEqual([status !== 200, expect.objectContaining({ ...overHttp, ...paged })]);
        const odd = await anybody.tool(tool, { org_id: '', limit: 0 });
        expect([refusedWith(odd), placesOf(odd)]).toEqual(['validation_failed', ['arguments.org_id']]);
      }
    });

    it('import_agent', async () => {
      const card = cardOf('Reader', 'Reads scans.');
      const domain = await listen((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
      });
      const preview = done(await anybody.tool('import_agent', { domain_url: domain.url }));
      expect(preview).toMatchObject({ preview: { specialty: 'Reads scans.', capabilities: [{ name: 'ocr' }] } });
      await domain.stop();
      const odd = await anybody.tool('import_agent', { domain_url: 'no domain' });
      expect([odd.isError, placesOf(odd)]).toEqual([true, ['arguments.domain_url']]);
    });

    it('protocol_reference', async () => {
      const { topics, steps } = done(await anybody.tool('protocol_reference')) as { topics: Args[]; steps: unknown[] };
      expect([topics.length, steps]).toEqual([7, []]);
      expect(done(await anybody.tool('protocol_reference', { topic: 'all' }))['topics']).toEqual(topics);
      const odd = await anybody.tool('protocol_reference', { topic: 7 });
      expect([refusedWith(odd), placesOf(odd)]).toEqual(['validation_failed', ['arguments.topic']]);
    });
  });

  describe('tools that change an agent', () => {
    it('register_agent: a question is not a refusal, a taken id is', async () => {
      const { tool } = await connect(freshClient());
      const fields = {
        agent_id: unique('asked'),
        contact_email: 'a@b.example',
        capabilities: [closeName[transport]],
      };
      const question = done(await tool('register_agent', fields));
      expect(question['status']).toBe('capability_confirmation_required');
      const { candidate_matches } = question as { candidate_matches: Record<string, string> };
      const capability_confirmations = Object.fromEntries(Object.keys(candidate_matches).map((name) => [name, false]));
      expect(
        done(await tool('register_agent', { ...fields, candidate_matches, capability_confirmations })),
      ).toMatchObject({
        status: 'registered',
        trust_score: 40,
      });
      expect(refusedWith(await tool('register_agent', fields))).toBe('agent_id_taken');
      const bare = await tool('register_agent', { agent_id: unique('bare') });
      expect([refusedWith(bare), placesOf(bare)[0]]).toEqual([
        'contact_required',
        expect.stringMatching(/^arguments/u),
      ]);
    });

    it('register_agent: the same idempotency_key returns the same claim link', async () => {
      const { tool } = await connect(freshClient());
      const fields = { agent_id: unique('again'), contact_email: 'a@b.example', idempotency_key: unique('key') };
      const [first, second] = [done(await tool('register_agent', fields)), done(await tool('register_agent', fields))];
      expect(second['claim_link']).toBe(first['claim_link']);
      const other = await tool('register_agent', { ...fields, specialty: 'another' });
      expect([refusedWith(other), placesOf(other)]).toEqual(['idempotency_key_reused', ['arguments.idempotency_key']]);
      const odd = await tool('register_agent', { ...fields, idempotency_key: 'a\nb' });
      expect([refusedWith(odd), placesOf(odd)]).toEqual(['validation_failed', ['arguments.idempotency_key']]);
    });

    it('rotate_agent_key, claim_bearer_key and set_agent_key: the claim ends the old key', async () => {
      const { tool } = await connect({ ...receiver.auth, ...freshClient() });
      const independent = await join({}, {});
      const own = await join({}, {});
      const session = await connect(freshClient());
      const oldKey = own.auth['authorization']?.replace('Bearer ', '') ?? '';
      expect(done(await session.tool('set_agent_key', { agent_key: oldKey }))['status']).toBe('set');
      const issued = done(await session.tool('rotate_agent_key', { agent_id: own.agentId }));
      expect(issued).toMatchObject({ status: 'claim_issued', agent_key: null });
      const token = new URL(String(issued['claim_link'])).searchParams.get('token');
      const { agent_key } = done(await session.tool('claim_bearer_key', { token }));
      expect(refusedWith(await session.tool('claim_bearer_key', { token }))).toBe('invalid_claim_token');
      const noLink = await session.tool('claim_bearer_key', { claim_link: 'https://registry.example/rotate' });
      expect([refusedWith(noLink), placesOf(noLink)]).toEqual(['validation_failed', ['arguments.claim_link']]);
      expect(placesOf(await session.tool('claim_bearer_key'))).toEqual(['arguments.token']);

      // The session still holds the old key, which is invalid now.
      const change = { agent_id: own.agentId, specialty: 'new' };
      expect(refusedWith(await session.tool('update_agent', change))).toBe('invalid_credential');
      const dead = await session.tool('set_agent_key', { agent_key: oldKey });
      expect([refusedWith(dead), JSON.stringify(dead).includes(oldKey)]).toEqual(['invalid_credential', false]);
      expect(done(await session.tool('set_agent_key', { agent_key }))['status']).toBe('set');
      expect(done(await session.tool('update_agent', change))['specialty']).toBe('new');
      expect(done(await session.tool('set_agent_key', { agent_key: null }))['status']).toBe('cleared');
      expect(refusedWith(await session.tool('update_agent', change))).toBe('credential_required');
      for (const odd of ['registry-org-sk-AAAA', `${oldKey} `, 7_654_321]) {
        const answer = await session.tool('set_agent_key', { agent_key: odd });
        expect([refusedWith(answer), placesOf(answer)]).toEqual(['validation_failed', ['arguments.agent_key']]);
        expect(JSON.stringify(answer)).not.toContain(String(odd));
      }
      expect(refusedWith(await tool('rotate_agent_key', { agent_id: independent.agentId }))).toBe(
        'invalid_rotation_credential',
      );
    });

    it("update_agent refuses another agent's key, and clears a field by null", async () => {
      const [own, other] = [await join({}, { specialty: 'old' }), await join({}, {})];
      const { tool } = await connect({ ...own.auth, ...freshClient() });
      expect(refusedWith(await tool('update_agent', { agent_id: other.agentId, specialty: 'x' }))).toBe('not_owner');
      expect(done(await tool('update_agent', { agent_id: own.agentId, specialty: null }))['specialty']).toBeNull();
      const question = done(
        await tool('update_agent', { agent_id: own.agentId, capabilities: ['Plan routes for vans'] }),
      );
      expect(question['status']).toBe('capability_confirmation_required');
    });
  });

  describe('call_agent', () => {
    const call = async (args: Args, progress?: (message: string) => void) => {
      const caller = await join((await createOrg()).key);
      const { tool } = await connect({ ...caller.auth, ...freshClient() });
      return tool('call_agent', { caller_agent_id: caller.agentId, agent_id: receiver.agentId, ...args }, progress);
    };

    it('reports each event of a stream before the next one is sent, and returns all of them at the end', async () => {
      const reported: string[] = [];
      respond = async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const step of ['one', 'two']) {
          response.write(`id: ${step}\nevent: step\ndata: {"step":"${step}"}\n\n`);
          await waitFor(() => reported.join('').includes(step), { description: `progress for ${step}` });
        }
        response.write(': the end\n\ndata: done\n\n');
        // The official client drops progress notifications that arrive together with the result.
        await waitFor(() => reported.includes('done'), { description: 'progress for the end' });
        response.end();
      };
      const streamed = textMessage('go', 'message/stream');
      const body = done(await call({ message: streamed }, (message) => reported.push(message)));
      expect(body).toMatchObject({ agent_id: receiver.agentId, status_code: 200, mcp_session_id: null });
      expect(body['body']).toEqual([
        { id: 'one', event: 'step', data: { step: 'one' } },
        { id: 'two', event: 'step', data: { step: 'two' } },
        { data: 'done' },
      ]);
      expect(body['review_reminder']).toContain(String(body['transaction_id']));
      expect(reported).toEqual(['{"step":"one"}', '{"step":"two"}', 'done']);
    });

    it('reports a stream that breaks off', async () => {
      respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: one\n\n', () => response.destroy());
      };
      expect(refusedWith(await call({ message: textMessage('go', 'message/stream') }))).toBe('downstream_failed');
    });

    it('returns as text what is nested too deeply to be parsed', async () => {
      const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      respond = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(deep);
      expect(done(await call({ message: textMessage('hi') }))).toMatchObject({ status_code: 200, body: deep });
    });

    it("returns the agent's answer, and refuses what the route refuses", async () => {
      respond = respondJson(503, { later: true });
      expect(done(await call({ message: textMessage('hi') }))).toMatchObject({
        status_code: 503,
        body: { later: true },
        response_headers: { 'content-type': 'application/json' },
      });
      respond = (_request, response) => void response.destroy();
      const failed = await call({ message: textMessage('hi') });
      expect(refusedWith(failed)).toBe('downstream_failed');
      expect(failed.body).toHaveProperty('transaction_id');
      const shapeless = await call({ message: { jsonrpc: '2.0' } });
      expect([refusedWith(shapeless), placesOf(shapeless)[0]]).toEqual(['invalid_message', 'arguments.message.method']);
      expect(refusedWith(await call({ message: textMessage('x'), caller_agent_id: 'other' }))).toBe('caller_mismatch');
      const anonymous = await anybody.tool('call_agent', {
        caller_agent_id: 'a',
        agent_id: receiver.agentId,
        message: textMessage('x'),
      });
      expect(refusedWith(anonymous)).toBe('credential_required');
    });

    it('sends the headers that its arguments contain', async () => {
      respond = respondJson(200, {});
      const carried = { x_payment: 'eyJ4IjoxfQ==', payment_signature: 'eyJ4IjoyfQ==' };
      done(await call({ message: textMessage('hi'), ...carried, forwarded_headers: { 'x-tenant': 'a' } }));
      expect(agent.last().headers).toMatchObject({
        'x-payment': carried.x_payment,
        'payment-signature': carried.payment_signature,
        'x-tenant': 'a',
      });
      const odd = await call({ message: textMessage('hi'), x_payment: 'é' });
      expect([refusedWith(odd), placesOf(odd)]).toEqual(['validation_failed', ['arguments.x_payment']]);
    });
  });

  describe('tools of organisations', () => {
    it('list_org_agents, preview_sandbox_match and promote_sandbox_agent', async () => {
      const { tool } = await connect({ ...org.sandboxKey, ...freshClient() });
      const live = await join(org.key, { endpoint_url: agent.url, specialty: 'live' });
      const draft = unique('draft');
      const cloned = { agent_id: draft, clone_from_agent_id: live.agentId, specialty: 'draft' };
      expect(done(await tool('register_agent', cloned))).toMatchObject({
        is_sandbox: true,
        related_agent_id: live.agentId,
      });
      const listed = done(await tool('list_org_agents', { limit: 10 }));
      expect(listed).toMatchObject({
        total: 1,
        next_offset: null,
        result: [{ agent_id: draft, related_agent_id: live.agentId }],
      });
      expect(done(await tool('preview_sandbox_match', { sandbox_agent_id: draft }))['draft_agent_id']).toBe(draft);
      expect(refusedWith(await tool('preview_sandbox_match', { sandbox_agent_id: 'nobody' }))).toBe('agent_not_found');
      const promoted = done(await tool('promote_sandbox_agent', { sandbox_agent_id: draft }));
      expect(promoted['fields_copied']).toContain('specialty');
      expect((await profile(live.agentId)).body['specialty']).toBe('draft');

      const loose = unique('loose');
      done(await tool('register_agent', { agent_id: loose }));
      expect(refusedWith(await tool('promote_sandbox_agent', { sandbox_agent_id: loose }))).toBe(
        'not_a_confirmed_pair',
      );
      const page = done(await tool('list_org_agents', { limit: 1 }));
      expect([page['total'], page['next_offset']]).toEqual([2, 1]);
      expect(refusedWith(await anybody.tool('list_org_agents'))).toBe('credential_required');
      const withProduction = await connect({ ...org.key, ...freshClient() });
      expect(refusedWith(await withProduction.tool('preview_sandbox_match', { sandbox_agent_id: draft }))).toBe(
        'sandbox_key_required',
      );
    });

    it('request_domain_proof, verify_domain and list_org_domains', async () => {
      const { tool } = await connect({ ...org.key, ...freshClient() });
      const domain = freshDomain();
      expect(refusedWith(await tool('verify_domain', { domain }))).toBe('domain_not_requested');
      const requested = done(await tool('request_domain_proof', { domain }));
      expect(requested).toMatchObject({ domain, status: 'requested', dns_record: { value: requested['token'] } });
      expect(refusedWith(await tool('verify_domain', { domain }))).toBe('domain_proof_not_found');
      await publishProof('records', domain, requested['token']);
      const proved = done(await tool('verify_domain', { domain }));
      expect(proved).toMatchObject({ domain, status: 'proved', method: 'dns' });
      expect(done(await tool('list_org_domains', { limit: 100 }))['result']).toContainEqual(proved);
      const withSandbox = await connect({ ...org.sandboxKey, ...freshClient() });
      expect(refusedWith(await withSandbox.tool('request_domain_proof', { domain }))).toBe('invalid_api_key');
      expect(refusedWith(await anybody.tool('list_org_domains'))).toBe('credential_required');
      const odd = await tool('request_domain_proof', { domain: 'co.uk' });
      expect(refusedWith(odd)).toBe('invalid_domain');
    });
  });

  describe('any tool call', () => {
    it('to an unknown tool is refused as a result, without repeating its name', async () => {
      const name = 'registry-agent-sk-not-a-tool';
      const answer = await anybody.tool(name);
      expect([refusedWith(answer), placesOf(answer)]).toEqual(['validation_failed', ['name']]);
      expect(JSON.stringify(answer)).not.toContain(name);
    });

    it('over the rate limit says when to retry', async () => {
      const { tool } = await connect(freshClient());
      const answers = [];
      for (const _ of Array.from({ length: 6 })) answers.push(await tool('rotate_agent_key', { agent_id: 'nobody' }));
      const last = answers.at(-1);
      if (last === undefined) throw new Error('no call was made');
      expect([refusedWith(last), last.body['retry_after_seconds']]).toEqual(['rate_limited', expect.any(Number)]);
    });

    it('the instructions describe the workflow', async () => {
      const { client, end } = await mcpClient();
      const instructions = client.getInstructions() ?? '';
      for (const word of [
        'match_agents',
        'verify_agent',
        'call_agent',
        'review_transaction',
        'claim_bearer_key',
        '70 to 100',
        'abort',
      ])
        expect(instructions).toContain(word);
      expect(client.getServerVersion()).toMatchObject({ name: 'agent-trust-registry', title: 'Agent Trust Registry' });
      await end();
    });
  });
});
