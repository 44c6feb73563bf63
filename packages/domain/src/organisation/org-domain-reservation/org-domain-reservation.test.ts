import type { OrgDomainReserved } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { agentDecider } from '../../agent/decider.ts';
import { fold } from '../../decider.ts';
import { agentRegistered, atSecond, givenFor } from '../../testing/index.ts';
import type { ReserveOrgDomain } from './decide.ts';
import { orgDomainDecider } from './decider.ts';
import { mayTakeOver, orgDomainReservationLeaseSeconds } from './may-take-over.ts';

const domain = 'acme.example';
const given = givenFor(orgDomainDecider);
const reserve = (over: Partial<ReserveOrgDomain> = {}): ReserveOrgDomain => ({
  type: 'ReserveOrgDomain',
  domain,
  agentId: 'agent-1',
  orgId: 'org-1',
  voidRevision: null,
  now: atSecond(0),
  ...over,
});
const reserved = (over: Partial<OrgDomainReserved['data']> = {}): OrgDomainReserved => ({
  type: 'OrgDomainReserved',
  data: { domain, agentId: 'agent-1', orgId: 'org-1', reservedAt: atSecond(0), ...over },
});

describe('reserving a domain', () => {
  it('takes a free one', () => given([]).when(reserve()).then([reserved()]));

  it('goes on with the reservation that the same agent of the same organisation holds', () => {
    given([reserved()])
      .when(reserve({ now: atSecond(9) }))
      .thenNothing();
  });

  it('refuses one that another agent holds, or the same agent_id for another organisation', () => {
    given([reserved()])
      .when(reserve({ agentId: 'agent-2' }))
      .thenRefused('org_domain_taken');
    given([reserved()])
      .when(reserve({ orgId: 'org-2' }))
      .thenRefused('org_domain_taken');
    given([reserved()])
      .when(reserve({ orgId: null }))
      .thenRefused('org_domain_taken');
  });

  it('takes over a reservation known to be void, but no newer one', () => {
    const command = reserve({ agentId: 'agent-2', voidRevision: 0 });
    given([reserved()])
      .when(command)
      .then([reserved({ agentId: 'agent-2' })]);
    given([reserved(), reserved({ agentId: 'agent-3' })])
      .when(command)
      .thenRefused('org_domain_taken');
  });

  it('reserves anew for the same agent when its own is void', () => {
    given([reserved()])
      .when(reserve({ voidRevision: 0 }))
      .then([reserved()]);
  });
});

describe('a reservation may be taken over', () => {
  const reservation = fold(orgDomainDecider, [reserved()]);
  const nobody = agentDecider.initialState;
  const registeredWith = (orgDomain: string | null) => fold(agentDecider, [agentRegistered({ orgDomain })]);

  it('after the lease, while its agent is not registered', () => {
    expect(mayTakeOver(domain, reservation, nobody, atSecond(orgDomainReservationLeaseSeconds - 1))).toBe(false);
    expect(mayTakeOver(domain, reservation, nobody, atSecond(orgDomainReservationLeaseSeconds))).toBe(true);
  });

  it('at once, when its agent was registered without the domain', () => {
    expect(mayTakeOver(domain, reservation, registeredWith(null), atSecond(0))).toBe(true);
    expect(mayTakeOver(domain, reservation, registeredWith('other.example'), atSecond(0))).toBe(true);
  });

  it('never, when its agent was registered with it', () => {
    expect(mayTakeOver(domain, reservation, registeredWith(domain), atSecond(1_000_000))).toBe(false);
  });

  it('never, when there is none', () => {
    expect(mayTakeOver(domain, orgDomainDecider.initialState, nobody, atSecond(1_000_000))).toBe(false);
  });
});
