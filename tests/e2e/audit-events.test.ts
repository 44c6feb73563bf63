import { leafHash, type LogEntry, toHex } from '@agent-trust/transparency-log';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  ask,
  bareGateway,
  type Body,
  call,
  createOrg,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  review,
  stack,
} from '../support/ask.ts';
import { follow, linesOf } from '../support/event-streams.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { rotate, send, signer } from '../support/signer.ts';

let endpoint: RecordingAgent;
let [ours, theirs]: Org[] = [];
let [agent, outsider]: Member[] = [];
const requestId = unique('req');
const [, secondBare = ''] = stack.bareUrls;

const eventsOf = (agentId: string, headers: HeaderMap, query = ''): ReturnType<typeof get> =>
  get(`/org/agents/${encodeURIComponent(agentId)}/events${query}`, headers);
// Operators see endpoints, exactly as the log holds them.
const ops = (query: string): ReturnType<typeof get> =>
  ask('GET', `/ops/events${query}`, { headers: adminToken, owner: true });
const types = (events: readonly Body[]): unknown[] => events.map(({ type }) => type);
/** Operators see members as the log has them, owners in the wire form. */
const transactionOf = (event: Body | undefined): string => {
  const data = event?.['data'] as Body | undefined;
  return String(data?.['transactionId'] ?? data?.['transaction_id']);
};
const orgOf = (org: Org | undefined): Org => org as Org;
const memberOf = (member: Member | undefined): Member => member as Member;

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  [ours, theirs] = [await createOrg(), await createOrg()];
  const fields = { endpoint_url: endpoint.url, capabilities: ['price_quote'] };
  agent = await join(ours.key, { ...fields, org_domain: `${unique('ours')}.example` });
  outsider = await join(theirs.key, {
    ...fields,
    org_domain: `${unique('theirs')}.example`,
    specialty: 'their secret plan',
  });
  await call(outsider, agent.agentId, textMessage('hello'), {}, { 'x-request-id': requestId });
  await review(outsider, agent.agentId);
  return () => endpoint.stop();
});

describe('GET /org/agents/{agent_id}/events', () => {
  it('shows an owner what happened to its agent: who did it, when, with which credential, by which request', async () => {
    const { agentId, auth } = memberOf(agent);
    const updateId = unique('update');
    await post('/update', { agent_id: agentId, specialty: 'quotes' }, { ...auth, 'x-request-id': updateId });
    const { status, list } = await eventsOf(agentId, orgOf(ours).key);
    expect(status).toBe(200);
    expect(types(list)).toEqual([
      'OrgDomainReserved',
      'AgentRegistered',
      'ClaimIssued',
      'KeyRotated',
      'ExchangeStarted',
      'ExchangeCompleted',
      'ExchangeReviewed',
      'ConfigurationChanged',
    ]);
    const by = Object.fromEntries(list.map(({ type, actor }) => [type, actor]));
    const organisation = { kind: 'organisation', id: orgOf(ours).name, credentials: ['production_key'] };
    const caller = { kind: 'agent', id: memberOf(outsider).agentId, credentials: ['agent_key'] };
    expect(by).toEqual({
      OrgDomainReserved: organisation,
      AgentRegistered: organisation,
      ClaimIssued: organisation,
      KeyRotated: { kind: 'anonymous', id: null, credentials: ['claim_token'] },
      ExchangeStarted: caller,
      ExchangeCompleted: caller,
      ExchangeReviewed: caller,
      ConfigurationChanged: { kind: 'agent', id: agentId, credentials: ['agent_key'] },
    });
    const changed = list.at(-1);
    expect(changed).toMatchObject({
      request_id: updateId,
      universe: null,
      data: {
        agent_id: agentId,
        changed_fields: ['specialty'],
        configuration: { specialty: 'quotes', endpoint_url: endpoint.url },
      },
    });
    expect(Date.parse(String(changed?.['recorded_at']))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('shows nothing of a counterparty but its id, and no hash of a key or token', async () => {
    const { list, text } = await eventsOf(memberOf(agent).agentId, orgOf(ours).key);
    const reviewed = list.find(({ type }) => type === 'ExchangeReviewed');
    expect(reviewed).toMatchObject({
      universe: 'production',
      request_id: null,
      causation_id: null,
      data: { caller_agent_id: memberOf(outsider).agentId, success: true, score: 9 },
    });
    for (const hidden of [
      'their secret plan',
      orgOf(theirs).name,
      requestId,
      'key_hash',
      'token_hash',
      'contact',
      'org_id',
    ])
      expect(text).not.toContain(hidden);
    // The caller's owner sees the same exchange, with its own request id.
    const own = await eventsOf(memberOf(outsider).agentId, orgOf(theirs).key, `?correlation_id=${requestId}`);
    expect(types(own.list)).toEqual(['ExchangeStarted', 'ExchangeCompleted']);
    expect(own.list[0]?.['request_id']).toBe(requestId);
    expect(own.text).not.toContain('"endpoint_url"');
    // Both owners find their exchange by its id, and a third finds nothing.
    const byId = `?transaction_id=${transactionOf(reviewed)}`;
    const ofCall = ['ExchangeStarted', 'ExchangeCompleted', 'ExchangeReviewed'];
    expect(types((await eventsOf(memberOf(agent).agentId, orgOf(ours).key, byId)).list)).toEqual(ofCall);
    expect(types((await eventsOf(memberOf(outsider).agentId, orgOf(theirs).key, byId)).list)).toEqual(ofCall);
    const third = await createOrg();
    expect((await eventsOf((await join(third.key)).agentId, third.key, byId)).list).toEqual([]);
    // A filter by request id does not reveal who sent the request.
    const filtered = await eventsOf(memberOf(agent).agentId, orgOf(ours).key, `?correlation_id=${requestId}`);
    expect(filtered.list).toEqual([]);
  });

  it('has the hash of each leaf, and the leaf itself where nothing of it is hidden from the owner', async () => {
    const { agentId } = memberOf(agent);
    await post('/update', { agent_id: agentId, specialty: 'proven quotes' }, memberOf(agent).auth);
    const withLeaf = async (member: Member, key: HeaderMap): Promise<string[]> => {
      const { list } = await eventsOf(member.agentId, key);
      for (const event of list) {
        const proof = await get(`/log/proof/inclusion?event_id=${String(event['event_id'])}`);
        expect(proof.body).toMatchObject({ leaf_index: event['leaf_index'], leaf_hash: event['leaf_hash'] });
        const entry = event['entry'] as LogEntry | null;
        if (entry === null) continue;
        expect([entry.event_id, toHex(leafHash(entry))]).toEqual([event['event_id'], event['leaf_hash']]);
      }
      return [...new Set(list.filter(({ entry }) => entry !== null).map(({ type }) => String(type)))].sort();
    };
    // What the counterparty did to it comes without: the leaf has that party's request.
    expect(await withLeaf(memberOf(agent), orgOf(ours).key)).toEqual(['ConfigurationChanged']);
    expect(await withLeaf(memberOf(outsider), orgOf(theirs).key)).toEqual(['ExchangeCompleted', 'ExchangeStarted']);
    const { agentId: draft } = await join(orgOf(ours).sandboxKey);
    expect((await post('/sandbox/publish', { agent_id: draft }, orgOf(ours).sandboxKey)).status).toBe(200);
    const published = (await eventsOf(draft, orgOf(ours).key)).list.at(-1);
    expect(published).toMatchObject({ type: 'AgentPublished', entry: { data: { agentId: draft } } });
  });

  it("is the 404 of an unknown agent for another organisation and for the key of the other universe, and 401 for the agent's own key", async () => {
    const { agentId, auth } = memberOf(agent);
    const unknown = await eventsOf(unique('nobody'), orgOf(ours).key);
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'agent_not_found']);
    for (const key of [orgOf(theirs).key, orgOf(ours).sandboxKey, orgOf(theirs).sandboxKey]) {
      for (const mode of ['', '?follow=true', '?format=jsonl']) {
        const hidden = await eventsOf(agentId, key, mode);
        expect([hidden.status, hidden.body['code']]).toEqual([404, 'agent_not_found']);
      }
    }
    expect((await eventsOf(agentId, auth)).status).toBe(401);
    expect((await eventsOf(agentId, {})).status).toBe(401);
  });

  it('shows sandbox events to the sandbox key alone', async () => {
    const { sandboxKey, key } = orgOf(ours);
    const fields = { endpoint_url: endpoint.url, capabilities: ['price_quote'] };
    const [draft, other] = [await join(sandboxKey, fields), await join(sandboxKey, fields)];
    expect((await call(other, draft.agentId, textMessage('hello'))).status).toBe(200);
    expect(types((await eventsOf(draft.agentId, sandboxKey)).list)).toContain('ExchangeCompleted');
    expect((await eventsOf(draft.agentId, key)).status).toBe(404);
    expect((await post('/sandbox/publish', { agent_id: draft.agentId }, sandboxKey)).status).toBe(200);
    const published = await eventsOf(draft.agentId, key);
    expect(types(published.list)).toEqual(['AgentRegistered', 'ClaimIssued', 'KeyRotated', 'AgentPublished']);
    expect(published.list.at(-1)?.['actor']).toMatchObject({ kind: 'organisation', credentials: ['sandbox_key'] });
    expect((await eventsOf(draft.agentId, sandboxKey)).status).toBe(404);
  });
});

describe('the credentials behind an event', () => {
  /** The actor of the newest event of this type about the agent. */
  const behind = async (agentId: string, type: string): Promise<unknown> => {
    const { list } = await ops(`?agent_id=${agentId}&type=${type}&order=desc&limit=1`);
    return (list[0]?.['metadata'] as Body | undefined)?.['actor'];
  };

  it('are distinguished: a key, a signature, the organisation beside the agent, an operator, a link, or none', async () => {
    const { agentId } = memberOf(agent);
    const key = await signer({ endpoint_url: endpoint.url, capabilities: ['price_quote'] });
    expect(await behind(key.keyId, 'AgentRegistered')).toEqual({ kind: 'anonymous', id: null, credentials: [] });
    expect((await rotate(key)).status).toBe(200);
    expect(await behind(key.keyId, 'KeyRotated')).toEqual({ kind: 'agent', id: key.keyId, credentials: ['signature'] });
    const called = await send(key, '/call', {
      caller_agent_id: key.keyId,
      agent_id: agentId,
      message: textMessage('x'),
    });
    expect(called.status).toBe(200);
    expect(await behind(key.keyId, 'ExchangeCompleted')).toEqual({
      kind: 'agent',
      id: key.keyId,
      credentials: ['signature'],
    });

    const orphan = await join();
    expect(await behind(orphan.agentId, 'KeyRotated')).toEqual({
      kind: 'anonymous',
      id: null,
      credentials: ['claim_token'],
    });
    expect((await post('/update', { agent_id: orphan.agentId }, { ...orphan.auth, ...orgOf(ours).key })).status).toBe(
      200,
    );
    const adopted = (await behind(orphan.agentId, 'AgentAdopted')) as Body;
    expect(adopted['kind']).toBe('organisation');
    expect([...(adopted['credentials'] as string[])].sort()).toEqual(['agent_key', 'production_key']);

    const { agentId: operators } = await join(adminToken);
    expect(await behind(operators, 'AgentRegistered')).toEqual({
      kind: 'admin',
      id: null,
      credentials: ['admin_token'],
    });
    const created = await ops(`?type=OrganisationCreated&org=${orgOf(ours).name}`);
    const byAdminKey = { kind: 'operator', id: null, credentials: ['admin_key'] };
    expect(created.list[0]).toMatchObject({ metadata: { actor: byAdminKey } });
    const draft = await join(orgOf(ours).sandboxKey);
    expect(await behind(draft.agentId, 'AgentRegistered')).toMatchObject({
      kind: 'organisation',
      credentials: ['sandbox_key'],
    });
    const defined = await ops('?type=CapabilityDefined&limit=1');
    expect(defined.list[0]).toMatchObject({ metadata: { actor: { kind: 'system', id: null, credentials: [] } } });
  });

  it("appear nowhere in the owners' view, neither in clear nor hashed", async () => {
    const { text } = await eventsOf(memberOf(agent).agentId, orgOf(ours).key, '?limit=500');
    for (const secret of [memberOf(agent).auth['authorization'], orgOf(ours).key['x-api-key']]) {
      expect(text).not.toContain(String(secret).replace('Bearer ', ''));
    }
  });
});

describe('GET /ops/events', () => {
  it('finds events by type, agent, organisation, time and request, and pages through them in both directions', async () => {
    const { agentId } = memberOf(agent);
    const ofAgent = await ops(`?agent_id=${agentId}&limit=500`);
    expect(ofAgent.list.length).toBeGreaterThan(5);
    for (const order of ['asc', 'desc']) {
      const paged: Body[] = [];
      let path: string | undefined = `/ops/events?agent_id=${agentId}&limit=2&order=${order}`;
      while (path !== undefined) {
        const page: Awaited<ReturnType<typeof get>> = await ask('GET', path, { headers: adminToken, owner: true });
        expect(page.list.length).toBeLessThanOrEqual(2);
        paged.push(...page.list);
        const next = /<[^>]*?(\/ops\/events[^>]*)>; rel="next"/u.exec(page.headers.get('link') ?? '')?.[1];
        path = next;
      }
      expect(paged).toEqual(order === 'asc' ? ofAgent.list : ofAgent.list.toReversed());
    }
    const byRequest = await ops(`?correlation_id=${requestId}`);
    expect(types(byRequest.list)).toEqual(['ExchangeStarted', 'ExchangeCompleted']);
    const [started, completed] = byRequest.list;
    const transactionId = transactionOf(started);
    const ofCall = ['ExchangeStarted', 'ExchangeCompleted', 'ExchangeReviewed'];
    expect(types((await ops(`?transaction_id=${transactionId}`)).list)).toEqual(ofCall);
    expect(types((await ops(`?transaction_id=${transactionId}&correlation_id=${requestId}`)).list)).toEqual(
      ofCall.slice(0, 2),
    );
    expect(types((await ops(`?transaction_id=${transactionId}&type=ExchangeReviewed&order=desc`)).list)).toEqual([
      'ExchangeReviewed',
    ]);
    expect((await ops(`?transaction_id=${transactionId}&agent_id=${unique('nobody')}`)).list).toEqual([]);
    expect((await ops(`?transaction_id=${unique('none')}`)).list).toEqual([]);
    const both = await ops(
      `?agent_id=${agentId}&type=ExchangeReviewed,ExchangeStarted&org=${orgOf(theirs).name.toUpperCase()}`,
    );
    expect(types(both.list)).toEqual(['ExchangeStarted', 'ExchangeReviewed']);
    expect((await ops(`?agent_id=${agentId}&org=${unique('nobody')}`)).list).toEqual([]);
    const at = String(completed?.['recorded_at']);
    const until = await ops(`?agent_id=${agentId}&to=${at}`);
    expect(until.list.at(-1)).toEqual(started);
    const since = await ops(`?agent_id=${agentId}&from=${at}`);
    expect(since.list[0]).toEqual(completed);
  });

  it('shows each event as the log holds it, with its leaf hash', async () => {
    const { list } = await ops(`?agent_id=${memberOf(agent).agentId}`);
    for (const { leaf_index, leaf_hash, ...entry } of list) {
      expect(leaf_hash).toBe(toHex(leafHash(entry as LogEntry)));
      expect(leaf_index).toMatch(/^\d+$/u);
    }
  });

  it('is for operators alone', async () => {
    for (const headers of [{}, orgOf(ours).key, memberOf(agent).auth, { authorization: 'Bearer wrong' }]) {
      expect((await get('/ops/events', headers)).status).toBe(401);
    }
    for (const query of [
      '?after=x',
      '?limit=501',
      '?from=yesterday',
      '?to=0000-01-01T00:00:00Z',
      '?type=a b',
      '?follow=true&to=2026-01-01T00:00:00Z',
      '?format=jsonl&limit=3',
    ]) {
      expect([query, (await ops(query)).status]).toEqual([query, 422]);
    }
    // A position that no event has: a page of it and a follower would begin anywhere.
    for (const query of [
      '?after=999999999999',
      '?after=999999999999&follow=true',
      '?after=999999999999&format=jsonl',
    ]) {
      expect([query, (await ops(query)).status]).toEqual([query, 400]);
    }
  });

  it('exports the whole log as JSON Lines, and the last line states that the export is complete', async () => {
    const response = await fetch(`${bareGateway}/ops/events`, {
      headers: { accept: 'application/x-ndjson', ...adminToken },
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const { events, end } = linesOf(await response.text());
    expect(end).toMatchObject({ events: events.length });
    expect(events.map(({ leaf_index }) => leaf_index)).toEqual(events.map((_, index) => String(index)));
    expect(BigInt(String(end?.['up_to_position']))).toBeGreaterThanOrEqual(BigInt(String(events.at(-1)?.['position'])));
    const some = await ask('GET', '/ops/events?format=jsonl&type=OrganisationCreated', {
      headers: adminToken,
      gateway: bareGateway,
    });
    expect(new Set(types(linesOf(some.text).events))).toEqual(new Set(['OrganisationCreated']));
  });
});

describe('a follower of events', () => {
  it('gets new events, resumes at another gateway without a gap, and gets no events of other agents', async () => {
    const { agentId, auth } = memberOf(agent);
    const url = (gateway: string): string => `${gateway}/org/agents/${agentId}/events`;
    const change = (specialty: string) => post('/update', { agent_id: agentId, specialty }, auth);
    const first = await follow(url(bareGateway), orgOf(ours).key);
    expect(first.status).toBe(200);
    await change('one');
    await waitFor(() => first.events.length === 1);
    first.close();
    await change('two');
    await change('three');
    const second = await follow(url(secondBare), { ...orgOf(ours).key, 'last-event-id': first.lastId() });
    await waitFor(() => second.events.length === 2);
    await change('four');
    await waitFor(() => second.events.length === 3);
    const reported = [...first.events, ...second.events].map(
      ({ event }) => (event['data'] as Body)['configuration'] as Body,
    );
    expect(reported.map(({ specialty }) => specialty)).toEqual(['one', 'two', 'three', 'four']);
    second.close();
  });

  it('gets an end event when its key is replaced', async () => {
    const org = await createOrg();
    const { agentId } = await join(org.key);
    const follower = await follow(`${bareGateway}/org/agents/${agentId}/events`, org.key);
    expect((await post('/org/rotate-key', undefined, org.key)).status).toBe(200);
    // The next event wakes the follower, and the gateway checks the key before it sends anything.
    await createOrg();
    expect(await follower.over).toBe('clean');
    expect(follower.named).toEqual(['end {"reason":"not_allowed_any_more"}']);
    expect(follower.events).toEqual([]);
  });
});
