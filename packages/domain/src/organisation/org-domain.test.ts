import type { AgentEvent, OrgDomainReleased, OrgDomainReserved } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { agentDecider } from '../agent/decider.ts';
import { fold } from '../decider.ts';
import { agentRegistered, atSecond, givenFor } from '../testing/index.ts';
import { orgDomainDecider, orgDomainHoldersMax, type ReserveOrgDomain } from './org-domain.ts';
import { orgDomainReservationLeaseSeconds, standingOfHolder } from './org-domain-holder.ts';

const domain = 'acme.example';
const given = givenFor(orgDomainDecider);
const reserve = (over: Partial<ReserveOrgDomain> = {}): ReserveOrgDomain => ({
  type: 'ReserveOrgDomain',
  domain,
  agentId: 'agent-1',
  orgId: 'org-1',
  mayShare: false,
  voidRevision: null,
  known: [],
  now: atSecond(0),
  ...over,
});
const reserved = (over: Partial<OrgDomainReserved['data']> = {}): OrgDomainReserved => ({
  type: 'OrgDomainReserved',
  data: { domain, agentId: 'agent-1', orgId: 'org-1', reservedAt: atSecond(0), ...over },
});
const released = (over: Partial<OrgDomainReleased['data']> = {}): OrgDomainReleased => ({
  type: 'OrgDomainReleased',
  data: { domain, agentId: 'agent-1', reservationRevision: 0, releasedAt: atSecond(0), ...over },
});
const knownAs = (standing: 'void' | 'shared', revision = 0) => [{ agentId: 'agent-1', revision, standing }];

describe('reserving a domain', () => {
  it('takes a free one', () => given([]).when(reserve()).then([reserved()]));

  it('is idempotent for the same agent of the same organisation', () => {
    given([reserved()])
      .when(reserve({ now: atSecond(9) }))
      .thenNothing();
  });

  // They joined its organisation while the registration that needed the reservation had not ended.
  it("keeps a registration's reservation only if every other holder is void, and an update's always", () => {
    const joined = [reserved(), reserved({ agentId: 'agent-2' })];
    const known = (standing: 'void' | 'shared') => [{ agentId: 'agent-2', revision: 1, standing }];
    given(joined).when(reserve()).thenRefused('org_domain_taken');
    given(joined)
      .when(reserve({ known: known('shared') }))
      .thenRefused('org_domain_taken');
    given(joined)
      .when(reserve({ known: known('void') }))
      .then([released({ agentId: 'agent-2', reservationRevision: 1 })]);
    given(joined)
      .when(reserve({ mayShare: true }))
      .thenNothing();
  });

  it('reserves again for the same agent if its own reservation is void', () => {
    given([reserved()])
      .when(reserve({ voidRevision: 0 }))
      .then([reserved()]);
  });

  // The command behind the other reservation may still write, when a third agent has joined relying on the newer one.
  it("respects the same agent's reservation for another organisation, unless it is void or the agent belongs to this one", () => {
    const toAnother = reserve({ orgId: 'org-2', mayShare: true });
    given([reserved()]).when(toAnother).thenRefused('org_domain_taken');
    given([reserved({ orgId: null })])
      .when(toAnother)
      .thenRefused('org_domain_taken');
    given([reserved()])
      .when({ ...toAnother, voidRevision: 0 })
      .then([reserved({ orgId: 'org-2' })]);
    given([reserved()])
      .when({ ...toAnother, known: knownAs('void') })
      .then([released(), reserved({ orgId: 'org-2' })]);
    given([reserved()])
      .when({ ...toAnother, known: knownAs('shared') })
      .then([reserved({ orgId: 'org-2' })]);
    given([reserved(), reserved({ agentId: 'agent-2' })])
      .when({ ...toAnother, known: knownAs('shared') })
      .thenRefused('org_domain_taken');
  });

  it('refuses one that another agent holds', () => {
    given([reserved()])
      .when(reserve({ agentId: 'agent-2', orgId: 'org-2', mayShare: true }))
      .thenRefused('org_domain_taken');
  });

  it("releases a reservation known to be void and takes its place, but not a newer one's", () => {
    const command = reserve({ agentId: 'agent-2', orgId: 'org-2', known: knownAs('void') });
    given([reserved()])
      .when(command)
      .then([released(), reserved({ agentId: 'agent-2', orgId: 'org-2' })]);
    given([reserved(), reserved()]).when(command).thenRefused('org_domain_taken');
    given([reserved(), reserved({ agentId: 'agent-3' })])
      .when(command)
      .thenRefused('org_domain_taken');
  });

  it('leaves a released domain to the next reservation only', () => {
    given([reserved(), released()])
      .when(reserve({ agentId: 'agent-2', orgId: 'org-2' }))
      .then([reserved({ agentId: 'agent-2', orgId: 'org-2' })]);
  });
});

describe('several agents of one organisation', () => {
  const second = reserve({ agentId: 'agent-2', mayShare: true });

  it('may hold a domain together by update', () => {
    given([reserved()])
      .when(second)
      .then([reserved({ agentId: 'agent-2' })]);
  });

  it('not by registration, which needs a domain without holders', () => {
    given([reserved()])
      .when({ ...second, mayShare: false })
      .thenRefused('org_domain_taken');
    given([reserved()])
      .when({ ...second, mayShare: false, known: knownAs('shared') })
      .thenRefused('org_domain_taken');
  });

  it('do not share it with an agent without organisation, unless it was adopted since', () => {
    given([reserved({ orgId: null })])
      .when(second)
      .thenRefused('org_domain_taken');
    given([reserved({ orgId: null })])
      .when({ ...second, known: knownAs('shared') })
      .then([reserved({ agentId: 'agent-2' })]);
    given([reserved({ orgId: null })])
      .when({ ...second, orgId: null, known: knownAs('shared') })
      .thenRefused('org_domain_taken');
  });

  it('each keep other organisations out', () => {
    const both = [reserved(), reserved({ agentId: 'agent-2' })];
    const other = reserve({ agentId: 'agent-9', orgId: 'org-9', mayShare: true });
    given(both)
      .when({ ...other, known: knownAs('void') })
      .thenRefused('org_domain_taken');
    given(both)
      .when({ ...other, known: [...knownAs('void'), { agentId: 'agent-2', revision: 1, standing: 'void' }] })
      .then([
        released(),
        released({ agentId: 'agent-2', reservationRevision: 1 }),
        reserved({ agentId: 'agent-9', orgId: 'org-9' }),
      ]);
  });

  it('are limited in number; a void one makes room', { timeout: 60_000 }, () => {
    const full = Array.from({ length: orgDomainHoldersMax }, (_, index) => reserved({ agentId: `agent-${index}` }));
    const oneMore = reserve({ agentId: 'one-more', mayShare: true });
    given(full.slice(1))
      .when(oneMore)
      .then([reserved({ agentId: 'one-more' })]);
    given(full).when(oneMore).thenRefused('org_domain_taken');
    given(full)
      .when({ ...oneMore, known: knownAs('void', 1) })
      .then([released({ reservationRevision: 1 }), reserved({ agentId: 'one-more' })]);
  });
});

describe('the state of another reservation', () => {
  const inLease = atSecond(orgDomainReservationLeaseSeconds - 1);
  const afterLease = atSecond(orgDomainReservationLeaseSeconds);
  const lapsed: AgentEvent = {
    type: 'OrgDomainReservationLapsed',
    data: { agentId: 'agent-1', domain, reservationRevision: 4, lapsedAt: atSecond(0) },
  };
  const standing = (
    events: AgentEvent[],
    now: string,
    over: { asker?: string | null; orgId?: string | null; mayShare?: boolean; hasProof?: boolean } = {},
  ) =>
    standingOfHolder(
      domain,
      {
        agentId: 'agent-1',
        orgId: over.orgId === undefined ? 'org-1' : over.orgId,
        revision: 4,
        reservedAt: atSecond(0),
      },
      fold(agentDecider, events),
      { orgId: over.asker ?? null, mayShare: over.mayShare ?? true, hasProof: over.hasProof ?? false },
      now,
    );
  const has = agentRegistered({ orgId: 'org-1', orgDomain: domain });
  const hasNot = agentRegistered({ orgId: 'org-1', orgDomain: 'other.example' });

  it('during its lease it holds, whether or not its agent is registered', () => {
    expect(standing([], inLease)).toBe('stands');
    expect(standing([hasNot], inLease)).toBe('stands');
  });

  it('after its lease it is unused unless its agent has the domain', () => {
    expect(standing([], afterLease)).toBe('unused');
    expect(standing([hasNot], afterLease)).toBe('unused');
    expect(standing([has], atSecond(1_000_000))).toBe('stands');
  });

  it('once declared void it is void at once, even during the lease', () => {
    expect(standing([lapsed], inLease)).toBe('void');
    expect(standing([hasNot, lapsed], inLease)).toBe('void');
    const older: AgentEvent = { ...lapsed, data: { ...lapsed.data, reservationRevision: 3 } };
    expect(standing([older], inLease)).toBe('stands');
  });

  it('of the same organisation it is shared while it holds', () => {
    expect(standing([has], afterLease, { asker: 'org-1' })).toBe('shared');
    expect(standing([hasNot], inLease, { asker: 'org-1' })).toBe('shared');
    expect(standing([], inLease, { asker: 'org-1' })).toBe('shared');
    expect(standing([hasNot], afterLease, { asker: 'org-1' })).toBe('unused');
    expect(standing([has], afterLease, { asker: 'org-2' })).toBe('stands');
  });

  it("an adopted agent counts as its organisation's, whatever the reservation says", () => {
    expect(standing([has], inLease, { asker: 'org-1', orgId: null })).toBe('shared');
    expect(standing([has], inLease, { asker: 'org-2', orgId: 'org-2' })).toBe('stands');
    expect(standing([agentRegistered({ orgDomain: domain })], inLease, { asker: 'org-1', orgId: null })).toBe('stands');
  });

  it('yields to the organisation that has proved the domain, unless its agent is of that organisation', () => {
    const proved = { asker: 'org-2', hasProof: true };
    expect(standing([has], inLease, proved)).toBe('yields');
    expect(standing([agentRegistered({ orgDomain: domain })], afterLease, { ...proved, orgId: null })).toBe('yields');
    expect(standing([], inLease, proved)).toBe('yields');
    expect(standing([hasNot], afterLease, proved)).toBe('unused');
    expect(standing([has, lapsed], inLease, { ...proved, asker: 'org-1' })).toBe('shared');
    expect(standing([has], inLease, { ...proved, asker: 'org-1', mayShare: false })).toBe('stands');
  });

  it('agents without organisation share nothing', () => {
    expect(standing([agentRegistered({ orgDomain: domain })], inLease, { orgId: null })).toBe('stands');
  });
});
