import type { JsonObject, RecordedEvent } from '@agent-trust/event-log';
import { describe, expect, it } from 'vitest';
import { ownerView, typesShownToOwners } from './owner-view.ts';

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

  it('is empty for types that concern no agent or are unknown', () => {
    for (const type of ['OrganisationCreated', 'ProductionKeyReplaced', 'CapabilityDefined', 'SomethingNew']) {
      expect(typesShownToOwners).not.toContain(type);
      expect(
        ownerView(event(type, 's', { agentId: 'mine', secret: 's' }, { kind: 'system', id: null }), owned).data,
      ).toEqual({});
    }
  });
});
