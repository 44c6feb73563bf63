import type { AgentEvent } from '@agent-trust/contracts';
import { production } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { agentRegistered, atSecond, givenFor, updateAgentCommand, updateCredentials } from '../testing/index.ts';
import type { UpdateAgent } from './commands.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const organisation = { orgId: 'org-1', orgName: 'Acme', universe: production };
const admin = updateCredentials({ admin: true });
const key = updateCredentials({ organisation });
const itself = updateCredentials({ agentId: 'agent-1' });
const live = agentRegistered({ orgId: 'org-1', orgName: 'Acme', orgDomain: 'acme.example', verified: true });
const free = agentRegistered();

const update = (over: Partial<UpdateAgent>) => updateAgentCommand({ credentials: key, ...over });
const named = (orgName: string | null): AgentEvent => ({
  type: 'OrgNameChanged',
  data: { agentId: 'agent-1', orgName, changedAt: atSecond(60) },
});
const moved = (orgDomain: string | null): AgentEvent => ({
  type: 'OrgDomainChanged',
  data: { agentId: 'agent-1', orgDomain, changedAt: atSecond(60) },
});
const lapsed = (domain: string, reservationRevision: number): AgentEvent => ({
  type: 'OrgDomainReservationLapsed',
  data: { agentId: 'agent-1', domain, reservationRevision, lapsedAt: atSecond(60) },
});
const adopted: AgentEvent = {
  type: 'AgentAdopted',
  data: { agentId: 'agent-1', orgId: 'org-1', orgName: 'Acme', adoptedAt: atSecond(60) },
};

describe('org_name and org_domain', () => {
  it('are refused from the agent itself, whatever their value, and ignored if they are null', () => {
    for (const agent of [free, live]) {
      for (const fields of [{ orgName: 'Acme' }, { orgDomain: 'acme.example' }]) {
        given([agent])
          .when(update({ credentials: itself, ...fields }))
          .thenRefused('org_fields_forbidden');
      }
      given([agent])
        .when(update({ credentials: itself, orgName: null, orgDomain: null }))
        .thenNothing();
    }
  });
});

describe('org_name', () => {
  it("is always the organisation's name if its key updates, whatever the request says", () => {
    given([live])
      .when(update({ orgName: 'Somebody Else' }))
      .thenNothing();
    given([live])
      .when(update({ orgName: null }))
      .thenNothing();
    given([live, named('By The Admin')])
      .when(update({}))
      .then([named('Acme')]);
    given([live, named('By The Admin')])
      .when(update({ orgName: 'Z', credentials: { ...key, admin: true } }))
      .then([named('Acme')]);
  });

  it('can be set and cleared by the admin', () => {
    given([free])
      .when(update({ credentials: admin, orgName: 'Free Text' }))
      .then([named('Free Text')]);
    given([live])
      .when(update({ credentials: admin, orgName: null }))
      .then([named(null)]);
    given([live])
      .when(update({ credentials: admin }))
      .thenNothing();
  });

  it('comes with an adoption, which verifies the agent and keeps its prior', () => {
    const command = update({ orgName: 'Z', credentials: { ...key, agentId: 'agent-1' } });
    given([free]).when(command).then([adopted]);
    expect(fold(agentDecider, [free, adopted])).toMatchObject({ orgId: 'org-1', orgName: 'Acme', verified: true });
    given([free, named('Older'), adopted])
      .when(command)
      .thenNothing();
  });
});

describe('org_domain', () => {
  const reservation = { domain: 'new.example', revision: 4 };
  const toNew = update({ orgDomain: 'new.example', reservation });

  it('changes with a reservation, by a key or the admin', () => {
    given([agentRegistered({ orgId: 'org-1', orgName: 'Acme' })])
      .when(toNew)
      .then([moved('new.example')]);
    given([free])
      .when({ ...toNew, credentials: admin })
      .then([moved('new.example')]);
    given([free])
      .when({ ...toNew, credentials: { ...key, agentId: 'agent-1' } })
      .then([adopted, moved('new.example')]);
  });

  it('stays without an event if it is the same', () => {
    given([live])
      .when(update({ orgDomain: 'acme.example' }))
      .thenNothing();
  });

  it('releases the reservation of the former domain', () => {
    const leaving = { domain: 'acme.example', revision: 2 };
    given([live])
      .when({ ...toNew, leaving })
      .then([moved('new.example'), lapsed('acme.example', 2)]);
    given([live])
      .when(update({ orgDomain: null, leaving }))
      .then([moved(null), lapsed('acme.example', 2)]);
  });

  it('releases neither an earlier domain nor the current one', () => {
    const leaving = { domain: 'older.example', revision: 2 };
    given([live])
      .when(update({ orgDomain: null, leaving }))
      .then([moved(null)]);
    given([live]).when(update({ leaving })).thenNothing();
  });

  it('is refused with a void reservation, and allowed with a later one', () => {
    given([live, lapsed('new.example', 4)])
      .when(toNew)
      .thenRefused('org_domain_taken');
    given([live, lapsed('new.example', 3)])
      .when(toNew)
      .then([moved('new.example')]);
    given([live, lapsed('other.example', 9)])
      .when(toNew)
      .then([moved('new.example')]);
  });

  it('is refused for a retry if the domain was lost meanwhile', () => {
    given([live, moved(null)])
      .when(update({ orgDomain: 'acme.example' }))
      .thenRefused('org_domain_taken');
  });

  it('without its reservation is a programming error', () => {
    const command = { ...toNew, reservation: { domain: 'other.example', revision: 0 } };
    expect(() => agentDecider.decide(command, fold(agentDecider, [live]))).toThrow(/without its reservation/);
  });
});
