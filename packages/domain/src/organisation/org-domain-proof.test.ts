import type { OrgDomainEvent } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { atSecond, givenFor, someHash } from '../testing/index.ts';
import { orgDomainDecider } from './org-domain.ts';
import { domainProofTerms, nextCheckOf, type ProveDomain, type RecordDomainCheck } from './org-domain-proof.ts';
import { domainRequestersMax } from './org-domain-state.ts';

const domain = 'acme.example';
const given = givenFor(orgDomainDecider);
const [token, otherToken, newToken] = [someHash(1), someHash(2), someHash(3)];
const daySeconds = 86_400;
const { missesMax } = domainProofTerms;

const reserved = (agentId: string, orgId: string): OrgDomainEvent => ({
  type: 'OrgDomainReserved',
  data: { domain, agentId, orgId, reservedAt: atSecond(0) },
});
const requested = (orgId = 'org-1', tokenHash = token): OrgDomainEvent => ({
  type: 'OrgDomainProofRequested',
  data: { domain, orgId, tokenHash, requestedAt: atSecond(0) },
});
const proved = (orgId = 'org-1', tokenHash = token, agentIds: string[] = [], at = 0): OrgDomainEvent => ({
  type: 'OrgDomainProved',
  data: { domain, orgId, method: 'dns', foundAt: domain, tokenHash, agentIds, provedAt: atSecond(at) },
});
const vouched = (orgId = 'org-1'): OrgDomainEvent => ({
  type: 'OrgDomainVouchedFor',
  data: { domain, orgId, reason: 'known', agentIds: [], vouchedAt: atSecond(0) },
});
const checked = (day: number, method: 'dns' | 'https' | null = null): OrgDomainEvent => ({
  type: 'OrgDomainProofChecked',
  data: { domain, orgId: 'org-1', method, checkedAt: atSecond(day * daySeconds) },
});
const lapsed = (day: number): OrgDomainEvent => ({
  type: 'OrgDomainProofLapsed',
  data: { domain, orgId: 'org-1', agentIds: [], lapsedAt: atSecond(day * daySeconds) },
});
const ended = (
  cause: 'lapsed' | 'replaced' | 'withdrawn',
  at: number,
  reason: string | null = null,
): OrgDomainEvent => ({
  type: 'OrgDomainProofEnded',
  data: { domain, orgId: 'org-1', cause, reason, agentIds: [], endedAt: atSecond(at) },
});

const prove = (over: Partial<ProveDomain> = {}): ProveDomain => ({
  type: 'ProveDomain',
  domain,
  orgId: 'org-1',
  found: { method: 'dns', foundAt: domain, tokenHash: token },
  outdated: null,
  now: atSecond(0),
  ...over,
});
const byOther = (outdated: string | null = null): ProveDomain =>
  prove({ orgId: 'org-2', found: { method: 'dns', foundAt: domain, tokenHash: otherToken }, outdated });
const look = (day: number, method: 'dns' | 'https' | null = null): RecordDomainCheck => ({
  type: 'RecordDomainCheck',
  domain,
  orgId: 'org-1',
  method,
  now: atSecond(day * daySeconds),
});

describe('asking for a token', () => {
  const ask = (orgId = 'org-1', tokenHash = token) =>
    ({ type: 'RequestDomainProof', domain, orgId, tokenHash, now: atSecond(0) }) as const;

  it('is recorded once for each organisation and token', () => {
    given([]).when(ask()).then([requested()]);
    given([requested()]).when(ask()).thenNothing();
    given([requested()])
      .when(ask('org-2', otherToken))
      .then([requested('org-2', otherToken)]);
    given([requested()])
      .when(ask('org-1', newToken))
      .then([requested('org-1', newToken)]);
  });

  it('forgets the oldest organisation of too many', () => {
    const many = Array.from({ length: domainRequestersMax }, (_, n) => requested(`other-${n}`, someHash(n + 10)));
    expect(fold(orgDomainDecider, [requested(), ...many]).requests).toHaveLength(domainRequestersMax);
    given([requested(), ...many])
      .when(prove())
      .thenRefused('domain_not_requested');
  });
});

describe('a proof', () => {
  it('needs the token that this organisation asked for', () => {
    given([requested()]).when(prove()).then([proved()]);
    given([]).when(prove()).thenRefused('domain_not_requested');
    given([requested('org-2')])
      .when(prove())
      .thenRefused('domain_not_requested');
    given([requested('org-1', newToken)])
      .when(prove())
      .thenRefused('domain_not_requested');
  });

  it('names all agents that hold the domain', () => {
    given([reserved('agent-1', 'org-1'), reserved('agent-2', 'org-9'), requested()])
      .when(prove())
      .then([proved('org-1', token, ['agent-1', 'agent-2'])]);
  });

  it('is recorded once', () => {
    given([requested(), proved()]).when(prove()).thenNothing();
  });

  it('is renewed by a token of a newer request, and a look at either', () => {
    const found = { method: 'dns', foundAt: domain, tokenHash: newToken } as const;
    given([requested(), proved(), requested('org-1', newToken)])
      .when(prove({ found }))
      .then([proved('org-1', newToken)]);
  });

  it("stands against another organisation's, unless its own token is gone", () => {
    const history = [requested(), requested('org-2', otherToken), proved()];
    given(history).when(byOther()).thenRefused('domain_proved_by_other');
    given(history).when(byOther(newToken)).thenRefused('domain_proved_by_other');
    given(history)
      .when(byOther(token))
      .then([ended('replaced', 0), proved('org-2', otherToken)]);
  });

  it('by the operator gives way to none, until it is withdrawn', () => {
    const history = [requested('org-2', otherToken), vouched()];
    given(history).when(byOther()).thenRefused('domain_proved_by_other');
    given(history).when(byOther(token)).thenRefused('domain_proved_by_other');
    given([...history, ended('withdrawn', 0, 'error')])
      .when(byOther())
      .then([proved('org-2', otherToken)]);
  });

  it('keeps the domain for agents of its organisation', () => {
    const reserve = (agentId: string, orgId: string | null) =>
      ({
        type: 'ReserveOrgDomain',
        domain,
        agentId,
        orgId,
        mayShare: true,
        voidRevision: null,
        known: [],
        now: atSecond(0),
      }) as const;
    for (const proof of [proved(), vouched()]) {
      const history = [requested(), proof];
      given(history).when(reserve('agent-2', 'org-2')).thenRefused('org_domain_taken');
      given(history).when(reserve('agent-2', null)).thenRefused('org_domain_taken');
      given(history)
        .when(reserve('agent-1', 'org-1'))
        .then([reserved('agent-1', 'org-1')]);
      // Also from who had it reserved before.
      given([reserved('agent-2', 'org-2'), ...history])
        .when(reserve('agent-2', 'org-2'))
        .thenRefused('org_domain_taken');
    }
    given([requested(), proved(), ended('withdrawn', 0, 'error')])
      .when(reserve('agent-2', 'org-2'))
      .then([reserved('agent-2', 'org-2')]);
  });
});

describe('a later look', () => {
  const history = [requested(), proved()];

  it('is recorded, unless another was at nearly the same time', () => {
    given(history)
      .when(look(30, 'https'))
      .then([checked(30, 'https')]);
    given([...history, checked(30, 'https')])
      .when(look(30.1, 'https'))
      .thenNothing();
    given([...history, checked(30)])
      .when(look(30.1))
      .thenNothing();
    given(history).when(look(0.1)).thenNothing();
  });

  it('that finds it after a miss is recorded at once', () => {
    given([...history, checked(30)])
      .when(look(30.1, 'dns'))
      .then([checked(30.1, 'dns')]);
  });

  it('lapses the proof when the token was missing several times in a row', () => {
    const misses = Array.from({ length: missesMax - 1 }, (_, n) => checked(30 + n));
    const day = 30 + missesMax;
    given([...history, ...misses])
      .when(look(day))
      .then([checked(day), lapsed(day)]);
    given([...history, ...misses, checked(day - 1, 'dns')])
      .when(look(day))
      .then([checked(day)]);
  });

  it('restores a lapsed proof, or ends it after the grace', () => {
    const since = [...history, checked(30), checked(31), checked(32), lapsed(32)];
    given(since)
      .when(look(40, 'dns'))
      .then([
        checked(40, 'dns'),
        {
          type: 'OrgDomainProofRestored',
          data: { domain, orgId: 'org-1', agentIds: [], restoredAt: atSecond(40 * daySeconds) },
        },
      ]);
    given(since)
      .when(look(61))
      .then([checked(61)]);
    given(since)
      .when(look(62))
      .then([checked(62), ended('lapsed', 62 * daySeconds)]);
  });

  it('says nothing of a proof that is gone, of another or of the operator', () => {
    given([requested()]).when(look(30)).thenNothing();
    given([requested(), vouched()]).when(look(30)).thenNothing();
    given([requested('org-2', otherToken), proved('org-2', otherToken)])
      .when(look(30))
      .thenNothing();
  });

  it('is due a month after one that found it, a day after one that did not, never if the operator vouches', () => {
    const at = atSecond(0);
    const due = (misses: number, method: 'dns' | 'operator' = 'dns') => nextCheckOf({ method, checkedAt: at, misses });
    expect(due(0)).toEqual(new Date(atSecond(30 * daySeconds)));
    expect(due(1)).toEqual(new Date(atSecond(daySeconds)));
    expect(due(0, 'operator')).toBeNull();
  });
});

describe('the operator', () => {
  const vouch = (orgId = 'org-1') =>
    ({ type: 'VouchForDomain', domain, orgId, reason: 'known', now: atSecond(0) }) as const;
  const withdraw = { type: 'WithdrawDomainProof', domain, reason: 'error', now: atSecond(0) } as const;

  it('vouches for a domain once, also for a proved one, but not against a proof', () => {
    given([]).when(vouch()).then([vouched()]);
    given([vouched()]).when(vouch()).thenNothing();
    given([requested(), proved()]).when(vouch()).then([vouched()]);
    given([requested(), proved()]).when(vouch('org-2')).thenRefused('domain_proved_by_other');
  });

  it('withdraws any proof', () => {
    given([vouched()])
      .when(withdraw)
      .then([ended('withdrawn', 0, 'error')]);
    given([requested(), proved()])
      .when(withdraw)
      .then([ended('withdrawn', 0, 'error')]);
    given([requested()]).when(withdraw).thenRefused('domain_not_proved');
  });
});

it('only reservations that are still the same are released', () => {
  const release = {
    type: 'ReleaseVoidReservations',
    domain,
    isVoid: [
      { agentId: 'agent-1', revision: 0 },
      { agentId: 'agent-2', revision: 1 },
    ],
    now: atSecond(0),
  } as const;
  given([reserved('agent-1', 'org-1'), reserved('agent-2', 'org-1'), reserved('agent-2', 'org-1')])
    .when(release)
    .then([
      {
        type: 'OrgDomainReleased',
        data: { domain, agentId: 'agent-1', reservationRevision: 0, releasedAt: atSecond(0) },
      },
    ]);
});
