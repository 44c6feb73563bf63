import type { JsonObject, RecordedEvent } from '@agent-trust/event-log';
import { logEntryOf } from '@agent-trust/transparency-log';
import { describe, expect, it } from 'vitest';
import { ownerEntry, ownerView, typesShownToOwners } from './owner-view.ts';

const owned = { agentId: 'mine', orgId: 'o1', orgName: 'Acme' };
const event = (
  type: string,
  stream: string,
  data: JsonObject,
  actor: { kind: string; id: string | null; keyId?: string },
): RecordedEvent => ({
  eventId: 'e',
  type,
  stream,
  revision: 0n,
  position: 7n,
  recordedAt: new Date('2026-01-01T00:00:00.000Z'),
  metadata: { correlationId: 'request', causationId: 'command', actor: { ...actor, credentials: ['agent_key'] } },
  data,
});
const production = { kind: 'production' };
const sandbox = { kind: 'sandbox', orgId: 'o1' };
const exchanged = (universe: JsonObject, callerAgentId = 'theirs') =>
  event(
    'ExchangeStarted',
    'exchange-t',
    { callerAgentId, receiverAgentId: 'mine', universe },
    { kind: 'agent', id: callerAgentId },
  );

describe("an owner's view of an event", () => {
  it('has the actor, and the request if the owner sent it', () => {
    const own = ownerView(
      event('AgentPublished', 'agent-mine', { agentId: 'mine', orgId: 'o1' }, { kind: 'organisation', id: 'o1' }),
      owned,
    );
    expect(own).toMatchObject({
      requestId: 'request',
      actor: { kind: 'organisation', id: 'Acme' },
      data: { agentId: 'mine' },
    });
    expect(own.data).toEqual({ agentId: 'mine' });
    expect(ownerView(exchanged(production), owned)).toMatchObject({
      universe: 'production',
      requestId: null,
      causationId: null,
    });
    expect(ownerView(exchanged(production, 'mine'), owned)).toMatchObject({ requestId: 'request' });
    // A sandbox contains the agents of one organisation only.
    expect(ownerView(exchanged(sandbox), owned)).toMatchObject({ universe: 'sandbox', requestId: 'request' });
  });

  it('names the named key of the own organisation, and not that of another', () => {
    const by = (id: string) =>
      event(
        'OrgDomainReservationLapsed',
        'agent-mine',
        { agentId: 'mine', domain: 'd' },
        { kind: 'organisation', id, keyId: 'k1' },
      );
    expect(ownerView(by('o1'), owned).actor.keyId).toBe('k1');
    expect(JSON.stringify(ownerView(by('o2'), owned))).not.toContain('k1');
  });

  it("has neither name nor request of another organisation that requested its agent's domain", () => {
    const lapsed = event(
      'OrgDomainReservationLapsed',
      'agent-mine',
      { agentId: 'mine', domain: 'd' },
      { kind: 'organisation', id: 'o2' },
    );
    expect(ownerView(lapsed, owned)).toMatchObject({ requestId: null, actor: { kind: 'organisation', id: null } });
  });

  it('has no hash of a key or token, no contact, and no configuration of another agent', () => {
    const rotated = event(
      'KeyRotated',
      'agent-mine',
      { agentId: 'mine', keyHash: 'h', claimTokenHash: 'c', rotatedAt: 't' },
      { kind: 'anonymous', id: null },
    );
    expect(ownerView(rotated, owned).data).toEqual({ agentId: 'mine', rotatedAt: 't' });
    const registered = event(
      'AgentRegistered',
      'agent-mine',
      { agentId: 'mine', contact: { contactEmail: 'a@b.c' }, orgId: 'o1' },
      { kind: 'admin', id: null },
    );
    expect(ownerView(registered, owned).data).toEqual({ agentId: 'mine' });
    const pulled = {
      agentId: 'draft',
      fromAgentId: 'mine',
      configuration: { specialty: 's' },
      changedFields: ['specialty'],
    };
    const draft = event('ConfigurationPulled', 'agent-draft', pulled, { kind: 'organisation', id: 'o1' });
    expect(ownerView(draft, owned).data).toEqual({ agentId: 'draft', fromAgentId: 'mine' });
    expect(ownerView(draft, { ...owned, agentId: 'draft' }).data).toEqual(pulled);
  });

  it('has the trace of a request that the owner may know, and of no other', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const traced = (callerAgentId: string): RecordedEvent => {
      const recorded = exchanged(production, callerAgentId);
      return { ...recorded, metadata: { ...recorded.metadata, traceparent } };
    };
    expect(ownerView(traced('mine'), owned).traceparent).toBe(traceparent);
    expect(ownerView(traced('theirs'), owned).traceparent).toBeNull();
  });

  it('is empty for types that concern no agent or are unknown', () => {
    for (const type of ['OrganisationCreated', 'ProductionKeyReplaced', 'CapabilityDefined', 'SomethingNew']) {
      expect(typesShownToOwners).not.toContain(type);
      expect(
        ownerView(event(type, 's', { agentId: 'mine', secret: 's' }, { kind: 'system', id: null }), owned).data,
      ).toEqual({});
    }
  });
});

describe('the leaf of an event', () => {
  const organisation = { kind: 'organisation', id: 'o1' };
  const published = event(
    'AgentPublished',
    'agent-mine',
    { agentId: 'mine', orgId: 'o1', publishedAt: 't' },
    organisation,
  );
  const started = (callerAgentId: string, more: JsonObject = {}): RecordedEvent => ({
    ...exchanged(production, callerAgentId),
    data: { ...exchanged(production, callerAgentId).data, transactionId: 't', endsWithinMs: 1, ...more },
  });

  it('is shown whole where its owner sees all of it, and knows the rest', () => {
    expect(ownerEntry(published, owned)).toEqual(logEntryOf(published));
    expect(ownerEntry(started('mine'), owned)).toEqual(logEntryOf(started('mine')));
    const ownSandbox = started('theirs', { universe: sandbox });
    expect(ownerEntry(ownSandbox, owned)).toEqual(logEntryOf(ownSandbox));
    const retired = event('AgentRetired', 'agent-mine', { agentId: 'mine' }, { kind: 'admin', id: null });
    expect(ownerEntry(retired, owned)).toEqual(logEntryOf(retired));
  });

  it.each<[string, RecordedEvent]>([
    ['the request of a counterparty', started('theirs')],
    [
      'hashes of keys',
      event(
        'KeyRotated',
        'agent-mine',
        { agentId: 'mine', keyHash: 'h', rotatedAt: 't' },
        { kind: 'agent', id: 'mine' },
      ),
    ],
    ['the id of another organisation', { ...published, data: { ...published.data, orgId: 'o2' } }],
    ['the sandbox of another organisation', started('mine', { universe: { kind: 'sandbox', orgId: 'o2' } })],
    ['a universe of no known form', started('mine', { universe: { kind: 'production', orgId: 'o2' } })],
    ['contact details', event('ContactChanged', 'agent-mine', { agentId: 'mine', contact: {} }, organisation)],
    ['data that nobody has declared', { ...published, data: { ...published.data, later: 1 } }],
    ['metadata that nobody has declared', { ...published, metadata: { ...published.metadata, later: 1 } as object }],
    [
      'the name of an operator',
      event('AgentSuspended', 'agent-mine', { agentId: 'mine', reason: 'r' }, { kind: 'operator', id: 'alice' }),
    ],
    [
      'another organisation that did it',
      event('AgentRetired', 'agent-mine', { agentId: 'mine' }, { kind: 'organisation', id: 'o2' }),
    ],
    [
      'its place among what others did with a domain',
      event('OrgDomainReserved', 'org_domain-d', { agentId: 'mine', domain: 'd' }, organisation),
    ],
    ['a type that owners do not see', event('SomethingNew', 'agent-mine', { agentId: 'mine' }, organisation)],
  ])('is not shown with %s', (_what, hidden) => {
    expect(ownerEntry(hidden, owned)).toBeNull();
  });
});
