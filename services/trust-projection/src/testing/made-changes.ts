import {
  type AgentConfiguration,
  type AgentEvent,
  agentStream,
  type ArchiveEvent,
  archiveStream,
  type CapabilityAliasEvent,
  capabilityAliasStream,
  operatorKeysStream,
  type OrganisationEvent,
  organisationStream,
  type OrgDomainEvent,
  orgDomainStream,
  type TaxonomyEvent,
  taxonomyStream,
  type Universe,
} from '@agent-trust/contracts';
import { hashOfPositions, packExchanges, packLeaves } from '@agent-trust/log-archive';
import { agentConfigurationOf, agentRegistered, type MadeEvent, production, sha256 } from './made-events.ts';

type DataOf<Event extends { type: string; data: object }, Type extends Event['type']> = Extract<
  Event,
  { type: Type }
>['data'];

/** An event of an agent's stream; `byItself` if the agent's own credential requested it. */
export function agentEvent<Type extends AgentEvent['type']>(
  type: Type,
  data: DataOf<AgentEvent, Type>,
  byItself = false,
): MadeEvent {
  return {
    stream: agentStream(data.agentId),
    event: { type, data } as AgentEvent,
    ...(byItself ? { actor: { kind: 'agent', id: data.agentId } } : {}),
  };
}

export function organisationEvent<Type extends OrganisationEvent['type']>(
  type: Type,
  data: DataOf<OrganisationEvent, Type>,
): MadeEvent {
  return { stream: organisationStream(data.orgId), event: { type, data } as OrganisationEvent };
}

const orgDomainEvent = (event: OrgDomainEvent): MadeEvent => ({ stream: orgDomainStream(event.data.domain), event });

export function taxonomyEvent<Type extends TaxonomyEvent['type']>(
  type: Type,
  data: DataOf<TaxonomyEvent, Type>,
): MadeEvent {
  return { stream: taxonomyStream, event: { type, data } as TaxonomyEvent };
}

/** The state of a made-up history, from which its next event is derived. */
export type LivingAgent = {
  agentId: string;
  universe: Universe;
  orgId: string | null;
  configuration: AgentConfiguration;
  /** Null for an agent without a clone that is not a clone itself. */
  pairedWith: string | null;
  /** The exchanges for which it was reviewed. */
  reviewed?: string[];
  isSuspended?: boolean;
  isRetired?: boolean;
};

type Chance = { random: () => number; pick: (count: number) => number; now: () => string };

const capabilityNames = Array.from({ length: 100 }, (_, index) => `capability_${index * 4}`);

const changed = (agent: LivingAgent, { random, pick }: Chance): AgentConfiguration => {
  const names = new Set(Array.from({ length: pick(4) }, () => capabilityNames[pick(100)] ?? 'quote'));
  return agentConfigurationOf({
    ...agent.configuration,
    capabilities: [...names].map((name, place) => ({ name, weight: place === 0 ? 3 : 1 })),
    endpointUrl: random() < 0.2 ? null : `https://${agent.agentId}.test/a2a`,
    settlementRail: random() < 0.3 ? null : ['x402', 'manual'],
    messageProtocol: random() < 0.3 ? 'raw' : 'a2a',
  });
};

/** A random change of an agent; adds the agents that it creates. */
type Change = (agent: LivingAgent, chance: Chance, all: LivingAgent[]) => MadeEvent[];

const configure: Change = (agent, chance) => {
  agent.configuration = changed(agent, chance);
  const { agentId, configuration } = agent;
  const data = { agentId, configuration, changedFields: ['capabilities' as const], changedAt: chance.now() };
  return [agentEvent('ConfigurationChanged', data, chance.random() < 0.5)];
};

const introduce: Change = ({ agentId }, { random, pick, now }) => {
  const contactInfo = pick(4) === 0 ? null : { keyId: `key of ${agentId}`, sealed: `room ${pick(100)}` };
  const contact = { contactInfo, contactEmail: null };
  const publicKey = random() < 0.5 ? null : `key ${pick(100)}`;
  return [
    agentEvent('ContactChanged', { agentId, contact, changedAt: now() }, random() < 0.5),
    agentEvent('PublicKeyReplaced', { agentId, publicKey, replacedAt: now() }),
  ];
};

const rename: Change = ({ agentId }, { random, pick, now }) => {
  const orgDomain = random() < 0.5 ? null : `${agentId}-${pick(100)}.test`;
  const orgName = random() < 0.5 ? null : `Organisation org${pick(6)}`;
  const domain = `${agentId}-former.test`;
  const lapsed = { agentId, domain, reservationRevision: 0 };
  return [
    orgDomainEvent({ type: 'OrgDomainReserved', data: { domain, agentId, orgId: null, reservedAt: now() } }),
    agentEvent('OrgDomainReservationLapsed', { ...lapsed, lapsedAt: now() }),
    orgDomainEvent({ type: 'OrgDomainReleased', data: { ...lapsed, releasedAt: now() } }),
    agentEvent('OrgDomainChanged', { agentId, orgDomain, changedAt: now() }),
    agentEvent('OrgNameChanged', { agentId, orgName, changedAt: now() }),
  ];
};

/** The domain of one of the organisations is proved, and then more or less happens to the proof. Some agent's reservation is not used yet. */
const prove: Change = ({ agentId, orgId }, { random, pick, now }, all) => {
  if (orgId === null) return [];
  const domain = `${orgId}.test`;
  const of = { domain, orgId };
  const agentIds = [...all.filter((one) => one.orgId === orgId).map((one) => one.agentId), `${agentId}-to-be`];
  const tokenHash = sha256(`${random()}`);
  const found = { method: 'dns' as const, foundAt: domain, tokenHash };
  const sequence: (() => OrgDomainEvent)[] = [
    () => ({ type: 'OrgDomainProofRequested', data: { ...of, tokenHash, requestedAt: now() } }),
    random() < 0.3
      ? () => ({ type: 'OrgDomainVouchedFor', data: { ...of, reason: 'known in person', agentIds, vouchedAt: now() } })
      : () => ({ type: 'OrgDomainProved', data: { ...of, ...found, agentIds, provedAt: now() } }),
    () => ({
      type: 'OrgDomainProofChecked',
      data: { ...of, method: random() < 0.5 ? 'https' : null, checkedAt: now() },
    }),
    () => ({ type: 'OrgDomainProofLapsed', data: { ...of, agentIds, lapsedAt: now() } }),
    random() < 0.5
      ? () => ({ type: 'OrgDomainProofRestored', data: { ...of, agentIds, restoredAt: now() } })
      : () => ({
          type: 'OrgDomainProofEnded',
          data: { ...of, cause: 'lapsed', reason: null, agentIds, endedAt: now() },
        }),
  ];
  return sequence.slice(0, 2 + pick(4)).map((event) => orgDomainEvent(event()));
};

const yieldDomain: Change = ({ agentId }, { pick, now }) => {
  const data = { agentId, domain: `org${pick(3)}.test`, reservationRevision: pick(9), yieldedAt: now() };
  return [agentEvent('OrgDomainYielded', data)];
};

const answer: Change = ({ agentId, universe }, { random, pick, now }) => {
  const [submitted, candidate] = [`submitted_${pick(50)}`, `capability_${pick(100)}`];
  const data = { agentId, universe, submitted, candidate, accepted: random() < 0.5, answeredAt: now() };
  return [agentEvent('CapabilityConfirmationAnswered', data)];
};

const judgeAlias: Change = (_agent, { random, pick, now }) => {
  const alias = `submitted_${pick(50)}`;
  const stream = capabilityAliasStream(alias);
  const name = `capability_${pick(100)}`;
  const event: CapabilityAliasEvent =
    random() < 0.5
      ? { type: 'CapabilityAliasConfirmed', data: { alias, name, reason: 'usual', confirmedAt: now() } }
      : { type: 'CapabilityAliasUndone', data: { alias, reason: 'misleading', undoneAt: now() } };
  return [{ stream, event }];
};

const adopt: Change = (agent, { pick, now }) => {
  if (agent.orgId !== null || agent.universe.kind === 'sandbox') return [];
  agent.orgId = `org${pick(2)}`;
  const { agentId, orgId } = agent;
  return [agentEvent('AgentAdopted', { agentId, orgId, orgName: `Organisation ${orgId}`, adoptedAt: now() })];
};

const move: Change = (agent, { now }) => {
  const { agentId, orgId } = agent;
  if (orgId === null || agent.pairedWith !== null) return [];
  if (agent.universe.kind === 'sandbox') {
    agent.universe = production;
    return [agentEvent('AgentPublished', { agentId, orgId, publishedAt: now() })];
  }
  agent.universe = { kind: 'sandbox', orgId };
  return [agentEvent('AgentWithdrawn', { agentId, orgId, withdrawnAt: now() })];
};

/** One time in three another agent registers the clone's id first, so that the live agent pairs with another. */
const pair: Change = (agent, { random, now }, all) => {
  const { agentId, orgId, configuration } = agent;
  if (orgId === null || agent.pairedWith !== null || agent.universe.kind === 'sandbox') return [];
  const taken = random() < 0.33 ? [`${agentId}-taken`] : [];
  const cloneId = `${agentId}-clone`;
  const universe: Universe = { kind: 'sandbox', orgId };
  agent.pairedWith = cloneId;
  all.push({ agentId: cloneId, universe, orgId, configuration, pairedWith: agentId });
  return [
    ...taken.flatMap((takenId) => [
      agentEvent('ClonePaired', { agentId, relatedAgentId: takenId, pairedAt: now() }),
      agentRegistered({ agentId: takenId }, now()),
    ]),
    agentEvent('ClonePaired', { agentId, relatedAgentId: cloneId, pairedAt: now() }),
    agentRegistered({ agentId: cloneId, universe, orgId, verified: true, configuration }, now()),
    agentEvent('ClonePaired', { agentId: cloneId, relatedAgentId: agentId, pairedAt: now() }),
  ];
};

const copyInPair: Change = (agent, { now }, all) => {
  const from = all.find(({ agentId }) => agentId === agent.pairedWith);
  if (from === undefined) return [];
  agent.configuration = from.configuration;
  const copied = { configuration: agent.configuration, changedFields: ['capabilities' as const] };
  const ids = { agentId: agent.agentId, fromAgentId: from.agentId };
  return agent.universe.kind === 'sandbox'
    ? [agentEvent('ConfigurationPulled', { ...ids, ...copied, pulledAt: now() })]
    : [agentEvent('ConfigurationPromoted', { ...ids, ...copied, promotedAt: now() })];
};

const learn: Change = (_agent, { random, pick, now }) => {
  const name = `capability_${pick(60)}`;
  if (random() < 0.25) return [taxonomyEvent('CapabilityRetired', { name, retiredAt: now() })];
  const words = { description: `What ${name} does`, aliases: [`alias_${pick(90)}`], phrases: [`please do ${name}`] };
  return [taxonomyEvent('CapabilityDefined', { name, category: `category_${pick(5)}`, ...words, definedAt: now() })];
};

const rekey: Change = (_agent, { random, pick, now }) => {
  const orgId = `org${pick(2)}`;
  const [productionKeyHash, sandboxKeyHash] = [sha256(`${random()}`), sha256(`${random()}`)];
  return [
    organisationEvent('ProductionKeyReplaced', { orgId, productionKeyHash, replacedAt: now() }),
    organisationEvent('SandboxKeyRevoked', { orgId, revokedAt: now() }),
    organisationEvent('SandboxKeyIssued', { orgId, sandboxKeyHash, issuedAt: now() }),
  ];
};

/** A named key, with what may happen to it, in any combination. */
const nameKeys: Change = (_agent, { random, pick, now }) => {
  const orgId = `org${pick(2)}`;
  const keyId = `key ${pick(1_000)}`;
  const named = { orgId, keyId, name: `deploy-${pick(20)}`, scopes: ['register' as const, 'read' as const] };
  const universe = random() < 0.5 ? 'production' : 'sandbox';
  const ends = { expiresAt: now(), formerEndsAt: now() };
  const created = { ...named, universe, keyHash: sha256(`${random()}`), createdAt: now(), expiresAt: now() } as const;
  const replaced = { orgId, keyId, keyHash: sha256(`${random()}`), replacedAt: now(), ...ends };
  return [
    organisationEvent('OrganisationKeyCreated', created),
    ...(random() < 0.5 ? [organisationEvent('OrganisationKeyReplaced', replaced)] : []),
    ...(random() < 0.5 ? [organisationEvent('OrganisationKeyRevoked', { orgId, keyId, revokedAt: now() })] : []),
  ];
};

/** Of a few organisations only: their agents are routable half of the time. */
const disable: Change = (_agent, { random, pick, now }) => {
  const orgId = `org${pick(2)}`;
  const [productionKeyHash, sandboxKeyHash] = [sha256(`${random()}`), sha256(`${random()}`)];
  const keys = { productionKeyHash, sandboxKeyHash };
  const choices = [
    organisationEvent('OrganisationDisabled', { orgId, reason: 'abuse', disabledAt: now() }),
    organisationEvent('OrganisationEnabled', { orgId, reason: 'mended', enabledAt: now() }),
    organisationEvent('OrganisationLimitsSet', {
      orgId,
      callsPerDay: pick(1_000),
      registrationsPerDay: 0,
      readsPerDay: null,
      reason: 'contract',
      setAt: now(),
    }),
    organisationEvent('OrganisationKeysReissued', { orgId, ...keys, reason: 'leak', reissuedAt: now() }),
  ];
  const chosen = choices[pick(choices.length)];
  return chosen === undefined ? [] : [chosen];
};

const suspend: Change = (agent, { now }) => {
  const { agentId, isSuspended = false } = agent;
  agent.isSuspended = !isSuspended;
  return isSuspended
    ? [agentEvent('AgentReinstated', { agentId, reason: 'mended', reinstatedAt: now() })]
    : [agentEvent('AgentSuspended', { agentId, reason: 'abuse', suspendedAt: now() })];
};

const retire: Change = (agent, { random, now }) => {
  const { agentId, isRetired = false } = agent;
  if (isRetired || random() < 0.7) return [];
  agent.isRetired = true;
  return [agentEvent('AgentRetired', { agentId, retiredAt: now() }, random() < 0.5)];
};

/** Some of its newest reviews, sometimes one that is void already, and one that there never was. */
const voidReviews: Change = ({ agentId, reviewed = [] }, { pick, now }) => {
  if (reviewed.length === 0) return [];
  const from = Math.max(0, reviewed.length - 1 - pick(8));
  const transactionIds = [...reviewed.slice(from, from + 1 + pick(3)), 'never-reviewed'];
  const data = { agentId, transactionIds, reason: 'a stolen key', voidedAt: now() };
  return [agentEvent('ReviewsVoided', data)];
};

const keyOperators: Change = (_agent, { random, pick, now }) => {
  const operatorKeyId = `operator key ${pick(1_000)}`;
  const name = `operator-${pick(20)}`;
  const times = { createdAt: now(), expiresAt: now() };
  const keyHash = sha256(`${random()}`);
  const role = random() < 0.5 ? 'viewer' : 'admin';
  const actor = { kind: 'operator', id: `operator-${pick(20)}`, issuer: 'https://login.test' } as const;
  const created = { type: 'OperatorKeyCreated', data: { operatorKeyId, name, role, keyHash, ...times } } as const;
  const revoked = {
    type: 'OperatorKeyRevoked',
    data: { operatorKeyId, name, reason: 'leak', revokedAt: now() },
  } as const;
  return [created, ...(random() < 0.5 ? [revoked] : [])].map((event) => ({ stream: operatorKeysStream, event, actor }));
};

/** An archived segment in which no exchange was left, restored and removed again. */
const archive: Change = ({ agentId }, { now }) => {
  const segment = 'exchanges-0-0';
  const at = now();
  const events: ArchiveEvent[] = [
    {
      type: 'ExchangesArchived',
      data: {
        segment,
        fileSha256: sha256(segment),
        fileBytes: 0,
        eventCount: 0,
        exchangeCount: 0,
        firstPosition: '0',
        lastPosition: '0',
        completeUpTo: '0',
        endedFrom: at,
        endedTo: at,
        positionsSha256: hashOfPositions([]),
        agentIds: [agentId],
        exchanges: packExchanges([], []),
        leaves: packLeaves([]),
        archivedAt: at,
      },
    },
    { type: 'SegmentRestored', data: { segment, restoredAt: at } },
    { type: 'SegmentRemoved', data: { segment, removedAt: at } },
  ];
  return events.map((event) => ({ stream: archiveStream, event }));
};

// Changes that affect rows of several read models occur more often.
const changes: readonly Change[] = [
  configure,
  configure,
  move,
  move,
  pair,
  pair,
  copyInPair,
  copyInPair,
  adopt,
  introduce,
  rename,
  prove,
  prove,
  yieldDomain,
  answer,
  answer,
  judgeAlias,
  learn,
  rekey,
  nameKeys,
  suspend,
  suspend,
  retire,
  disable,
  retire,
  voidReviews,
  voidReviews,
  voidReviews,
  keyOperators,
  archive,
];

/** A random change of one of the agents that is consistent with the history so far. */
export function someChange(all: LivingAgent[], chance: Chance): MadeEvent[] {
  const agent = all[chance.pick(all.length)];
  return agent === undefined ? [] : (changes[chance.pick(changes.length)]?.(agent, chance, all) ?? []);
}
