import { type CapabilityConfirmationAnswered, production, type Universe } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import {
  adminKey,
  agentRegistered,
  atSecond,
  claimIssuedEvent,
  givenFor,
  orgKey,
  registerAgentCommand,
  sandboxOf,
  someConfiguration,
  somePublicKey,
  someSealed,
} from '../testing/index.ts';
import type { AnsweredConfirmation } from '../capability/confirm-capabilities.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const acmeReservation = { domain: 'acme.example', revision: 0 };
const tooHeavy = someConfiguration({
  capabilities: [
    { name: 'a', weight: 3 },
    { name: 'b', weight: 3 },
  ],
});

describe('the initial state of an agent depends on its registering party', () => {
  it('an anonymous caller: production, unverified, prior 40, with a first claim', () => {
    given([]).when(registerAgentCommand()).then([agentRegistered(), claimIssuedEvent()]);
  });

  it('a production key: verified, prior 75, the canonical org_name whatever the request says', () => {
    given([])
      .when(registerAgentCommand({ credential: orgKey(), orgName: 'Somebody Else' }))
      .then([agentRegistered({ orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75 }), claimIssuedEvent()]);
  });

  it('a sandbox key: the same state, in the sandbox', () => {
    given([])
      .when(registerAgentCommand({ credential: orgKey({ universe: sandboxOf() }) }))
      .then([
        agentRegistered({ universe: sandboxOf(), orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75 }),
        claimIssuedEvent(),
      ]);
  });

  it.each([
    [false, 40],
    [true, 75],
  ])('the admin, verified %s: org fields as in the request, prior %i', (verified, trustPrior) => {
    given([])
      .when(
        registerAgentCommand({
          credential: adminKey(verified),
          orgName: 'Free Text',
          orgDomain: 'acme.example',
          reservation: acmeReservation,
        }),
      )
      .then([
        agentRegistered({
          orgName: 'Free Text',
          orgDomain: 'acme.example',
          verified,
          trustPrior,
          universe: production,
        }),
        claimIssuedEvent(),
      ]);
  });
});

describe('org fields need an org key or the admin credential', () => {
  it.each([{ orgName: 'Acme' }, { orgDomain: 'acme.example', reservation: acmeReservation }])(
    'refuses %j from an anonymous caller',
    (fields) => {
      given([]).when(registerAgentCommand(fields)).thenRefused('org_fields_forbidden');
    },
  );

  it('treats null as absent', () => {
    given([])
      .when(registerAgentCommand({ orgName: null, orgDomain: null }))
      .then([agentRegistered(), claimIssuedEvent()]);
  });
});

describe('contact_email or public_key is required', () => {
  const contact = { contactInfo: someSealed('call me'), contactEmail: null };

  it('refuses an anonymous caller without both, with the location of the fault', () => {
    const refusal = given([]).when(registerAgentCommand({ contact })).thenRefused('contact_required');
    expect(refusal.items).toMatchObject([{ loc: ['body', 'contact_email'], type: 'contact_required' }]);
  });

  it('a valid public key is enough', () => {
    given([])
      .when(registerAgentCommand({ contact, publicKey: somePublicKey }))
      .then([agentRegistered({ contact, publicKey: somePublicKey }), claimIssuedEvent()]);
  });

  it("an organisation's key or the admin credential replaces both", () => {
    given([])
      .when(registerAgentCommand({ contact, credential: adminKey() }))
      .then([agentRegistered({ contact }), claimIssuedEvent()]);
    given([])
      .when(registerAgentCommand({ contact, credential: orgKey() }))
      .then([
        agentRegistered({ contact, orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75 }),
        claimIssuedEvent(),
      ]);
  });
});

describe('rules for configurations', () => {
  const priced = someConfiguration({ priceSchedule: [{ task: 'quote', price: 1 }] });

  it.each([
    ['anonymous caller', { kind: 'none' } as const],
    ['organisation', orgKey()],
  ])('apply to the %s', (_, credential) => {
    given([])
      .when(registerAgentCommand({ credential, configuration: tooHeavy }))
      .thenRefused('capability_weights_exceeded');
    given([])
      .when(registerAgentCommand({ credential, configuration: priced }))
      .thenRefused('price_schedule_incomplete');
  });

  it('do not apply to the admin', () => {
    for (const configuration of [tooHeavy, priced]) {
      const refused = { contact: { contactInfo: null, contactEmail: null }, configuration };
      given([])
        .when(registerAgentCommand({ credential: adminKey(), ...refused }))
        .then([agentRegistered(refused), claimIssuedEvent()]);
    }
  });

  it('an invalid public key is refused for every caller', () => {
    for (const credential of [{ kind: 'none' } as const, orgKey(), adminKey()]) {
      given([])
        .when(registerAgentCommand({ credential, publicKey: 'A'.repeat(43) }))
        .thenRefused('invalid_public_key');
    }
  });

  it('a repeated capability is stored once, before the tiers are counted', () => {
    const capabilities = [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 2 },
      { name: 'a', weight: 3 },
      { name: 'a', weight: 3 },
    ];
    const merged = [
      { name: 'a', weight: 3 },
      { name: 'b', weight: 2 },
    ];
    given([])
      .when(registerAgentCommand({ configuration: someConfiguration({ capabilities }) }))
      .then([agentRegistered({ configuration: someConfiguration({ capabilities: merged }) }), claimIssuedEvent()]);
  });
});

describe('the answers about capabilities', () => {
  const yes = { submitted: 'translating', candidate: 'translation', accepted: true };
  const no = { submitted: 'ocr_scan', candidate: 'ocr', accepted: false };
  const answered = (universe: Universe, answer: AnsweredConfirmation): CapabilityConfirmationAnswered => ({
    type: 'CapabilityConfirmationAnswered',
    data: { agentId: 'agent-1', universe, ...answer, answeredAt: atSecond(0) },
  });

  it.each([production, sandboxOf()])('is recorded with the registration, with its universe: %j', (universe) => {
    given([])
      .when(registerAgentCommand({ credential: orgKey({ universe }), answered: [yes, no] }))
      .then([
        agentRegistered({ orgId: 'org-1', orgName: 'Acme', verified: true, trustPrior: 75, universe }),
        answered(universe, yes),
        answered(universe, no),
        claimIssuedEvent(),
      ]);
  });
});

describe('an agent_id is taken once', () => {
  it.each([
    ['in production', agentRegistered()],
    ['in a sandbox', agentRegistered({ universe: sandboxOf('org-9') })],
  ])('%s', (_, holder) => {
    given([holder]).when(registerAgentCommand()).thenRefused('agent_id_taken');
  });

  it('faults of the request itself are reported first', () => {
    given([agentRegistered()])
      .when(registerAgentCommand({ orgName: 'Acme' }))
      .thenRefused('org_fields_forbidden');
  });
});

describe('the reservation for a registration', () => {
  const lapsed = (domain: string, reservationRevision: number) =>
    ({
      type: 'OrgDomainReservationLapsed',
      data: { agentId: 'agent-1', domain, reservationRevision, lapsedAt: atSecond(40) },
    }) as const;
  const command = registerAgentCommand({
    credential: orgKey(),
    orgDomain: 'acme.example',
    reservation: acmeReservation,
  });
  const registered = agentRegistered({
    orgId: 'org-1',
    orgName: 'Acme',
    orgDomain: 'acme.example',
    verified: true,
    trustPrior: 75,
  });

  it('allows it while the reservation holds', () => {
    given([]).when(command).then([registered, claimIssuedEvent()]);
    given([lapsed('other.example', 3)])
      .when(command)
      .then([registered, claimIssuedEvent()]);
  });

  it('no longer allows it after its expiry, and a newer one does', () => {
    given([lapsed('acme.example', 0)])
      .when(command)
      .thenRefused('org_domain_taken');
    given([lapsed('acme.example', 0)])
      .when({ ...command, reservation: { domain: 'acme.example', revision: 1 } })
      .then([registered, claimIssuedEvent()]);
  });

  it('the state keeps the newest void reservation of each domain', () => {
    given([lapsed('acme.example', 0), lapsed('other.example', 0), lapsed('acme.example', 2)])
      .when({ ...command, reservation: { domain: 'acme.example', revision: 1 } })
      .thenRefused('org_domain_taken');
  });

  it('is required by a programming check, not by a refusal to the client', () => {
    expect(() => agentDecider.decide({ ...command, reservation: null }, agentDecider.initialState)).toThrow(
      /without its reservation/,
    );
  });

  const lapse = {
    type: 'LapseOrgDomainReservation',
    agentId: 'agent-1',
    domain: 'acme.example',
    reservationRevision: 0,
    now: atSecond(40),
  } as const;

  it('is declared void while the agent is unregistered, once', () => {
    given([])
      .when(lapse)
      .then([lapsed('acme.example', 0)]);
    given([lapsed('acme.example', 0)])
      .when(lapse)
      .thenNothing();
    given([lapsed('acme.example', 1)])
      .when(lapse)
      .thenNothing();
  });

  it('cannot be taken from an agent registered with the domain', () => {
    given([registered]).when(lapse).thenRefused('org_domain_taken');
  });

  it('is also declared void if the agent was registered without the domain, because an update may rely on it', () => {
    given([agentRegistered()])
      .when(lapse)
      .then([lapsed('acme.example', 0)]);
    given([agentRegistered(), lapsed('acme.example', 0)])
      .when(lapse)
      .thenNothing();
  });
});
