import { orgDomainStream } from '@agent-trust/contracts';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { policyV1, type AnyTrustPolicy, DirectLog, TrustLedger } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { policyReview } from '../projector/read-models/trust-evidence/reviewed.ts';
import { trustEventOf } from '../projector/read-models/trust-evidence/v2/trust-event-of.ts';
import { agentEvent } from './made-changes.ts';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type MadeEvent,
  organisationCreated,
  production,
} from './made-events.ts';

/** The organisations of such a history. */
export const historyOrganisations: readonly string[] = ['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'];
const startMs = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

type Random = { random: () => number; pick: (count: number) => number };

/** Numbers that are the same for a seed. */
export function seededNumbers(seed: number): Random {
  const random = seededRandom(seed);
  return { random, pick: (count) => Math.floor(random() * count) };
}

/**
 * A history for policies that look at organisations: agents of several organisations and of none, who are adopted, move between universes, and review
 * each other, well and badly; reservations of domains, and void reviews. In parts, because an activation may follow each.
 */
export function organisationsHistory(
  seed: number,
  { agents, reviews }: { agents: number; reviews: number },
): MadeEvent[][] {
  const { random, pick } = seededNumbers(seed);
  let clock = startMs;
  const now = (): string => {
    clock += random() < 0.02 ? 60 * 24 * hourMs : Math.floor(random() * 12 * hourMs);
    return new Date(clock).toISOString();
  };
  const first: MadeEvent[] = historyOrganisations.map((orgId) => organisationCreated(orgId, now()));
  const living = Array.from({ length: agents }, (_, index) => {
    // The first ones, who are reviewed most, belong to nobody, and may be lifted by a third voice.
    const isAffiliated = index > 2 && random() < 0.65;
    const orgId = isAffiliated ? (historyOrganisations[pick(historyOrganisations.length)] ?? null) : null;
    const orgDomain = orgId === null ? (random() < 0.2 ? 'admin.test' : null) : random() < 0.5 ? `${orgId}.test` : null;
    // Two organisations' agents are bad, so that whoever they adopt falls.
    const quality = orgId === 'o1' || orgId === 'o2' ? 0.02 : index % 5 === 4 ? 0.3 : 0.95;
    return { agentId: `a${index}`, orgId, orgDomain, quality, inSandbox: false, reviewed: [] as string[] };
  });
  for (const { agentId, orgId, orgDomain } of living) {
    first.push(agentRegistered({ agentId, orgId, orgDomain, verified: orgId !== null }, now()));
  }
  const parts: MadeEvent[][] = [first];
  const one = () => living[pick(living.length)]!;
  for (let index = 0; index < reviews; index += 1) {
    const events: MadeEvent[] = [];
    const changing = one();
    const { agentId } = changing;
    if (random() < 0.02) {
      const domain = `${historyOrganisations[pick(historyOrganisations.length)]}.test`;
      const orgId = historyOrganisations[pick(historyOrganisations.length + 1)] ?? null;
      const data = { domain, agentId, orgId, reservedAt: now() };
      events.push({ stream: orgDomainStream(domain), event: { type: 'OrgDomainReserved', data } });
    }
    if (random() < 0.08 && changing.orgId === null) {
      changing.orgId = random() < 0.5 ? 'o1' : (historyOrganisations[pick(historyOrganisations.length)] ?? 'o0');
      const { orgId } = changing;
      events.push(agentEvent('AgentAdopted', { agentId, orgId, orgName: `Organisation ${orgId}`, adoptedAt: now() }));
    } else if (random() < 0.03 && changing.orgId !== null) {
      const { orgId } = changing;
      events.push(
        changing.inSandbox
          ? agentEvent('AgentPublished', { agentId, orgId, publishedAt: now() })
          : agentEvent('AgentWithdrawn', { agentId, orgId, withdrawnAt: now() }),
      );
      changing.inSandbox = !changing.inSandbox;
    }
    if (random() < 0.03 && changing.reviewed.length > 0) {
      const transactionIds = Array.from(
        { length: 1 + pick(3) },
        () => changing.reviewed[pick(changing.reviewed.length)]!,
      );
      const data = { agentId, transactionIds: [...new Set(transactionIds)], reason: 'made up', voidedAt: now() };
      events.push(agentEvent('ReviewsVoided', data));
    }
    const [receiver, reviewer] = [living[Math.floor(random() ** 2 * living.length)]!, one()];
    if (receiver !== reviewer) {
      const inProduction = !receiver.inSandbox && !reviewer.inSandbox;
      const universe = inProduction ? production : ({ kind: 'sandbox', orgId: receiver.orgId ?? 'o0' } as const);
      const parties = {
        transactionId: `t${seed}-${index}`,
        callerAgentId: reviewer.agentId,
        receiverAgentId: receiver.agentId,
        universe,
      };
      const success = random() < receiver.quality;
      const [left, right] = [historyOrganisations[pick(8)] ?? 'o0', `${historyOrganisations[pick(8)]}.test`];
      const split = random() < 0.3 ? { none: 1 } : { [left]: 0.625, [right]: 0.375 };
      const own = reviewer.orgId ?? reviewer.orgDomain;
      events.push(
        exchangeStarted(parties, now()),
        exchangeCompleted(parties, now()),
        exchangeReviewed(parties, now(), {
          success,
          score: success ? 6 + pick(5) : 1 + pick(4),
          trustScore: random() < 0.05 ? 0.001 : 50 + pick(50),
          orgId: reviewer.orgId,
          orgDomain: reviewer.orgDomain,
          roots: own === null ? split : { [own]: 1 },
        }),
      );
      receiver.reviewed.push(parties.transactionId);
    }
    if (events.length > 0) parts.push(events);
  }
  return parts;
}

/** Follows a log with the direct form of a policy of formula v2, or with a ledger of formula v1. */
export class PolicyOracle {
  readonly policy: AnyTrustPolicy;
  readonly direct: DirectLog | null;
  readonly #ledger = new TrustLedger(policyV1);
  readonly #reviewsV1 = new Map<
    string,
    { transactionId: string; review: Parameters<TrustLedger['record']>[1]; isVoid: boolean }[]
  >();

  constructor(policy: AnyTrustPolicy) {
    this.policy = policy;
    this.direct = policy.formula === 'v2' ? new DirectLog(policy) : null;
    if (policy.formula === 'v1') this.#ledger = new TrustLedger(policy);
  }

  apply(event: ProjectedRegistryEvent): void {
    if (this.direct !== null) {
      const read = trustEventOf(event);
      if (read !== null) this.direct.apply(read);
      return;
    }
    if (event.type === 'AgentRegistered') this.#ledger.setPrior(event.data.agentId, event.data.trustPrior);
    if (event.type === 'ExchangeReviewed' && event.data.universe.kind === 'production') {
      const { receiverAgentId, transactionId } = event.data;
      const all = this.#reviewsV1.get(receiverAgentId) ?? [];
      const newest = this.#ledger.evidence(receiverAgentId).newestAt ?? 0;
      const made = policyReview(event);
      const review = { ...made, reviewedAt: Math.max(newest, made.reviewedAt) };
      this.#reviewsV1.set(receiverAgentId, [...all, { transactionId, review, isVoid: false }]);
      this.#ledger.record(receiverAgentId, review);
    }
    if (event.type === 'ReviewsVoided') {
      const { agentId, transactionIds } = event.data;
      const all = this.#reviewsV1.get(agentId) ?? [];
      for (const each of all) each.isVoid ||= transactionIds.includes(each.transactionId);
      this.#ledger.recount(agentId, all);
    }
  }

  verdict(agentId: string): { score: number; unrounded: number } {
    return this.direct === null ? this.#ledger.score(agentId) : this.direct.verdict(agentId);
  }
}
