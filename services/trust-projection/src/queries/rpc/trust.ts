import { limits, type Universe } from '@agent-trust/contracts';
import { blockOf } from '@agent-trust/domain';
import type { CallContext } from '@agent-trust/nats-rpc';
import type { AgentRecord } from '../../projector/read-models/agent-directory/queries.ts';
import { findExchangeArchive } from '../../projector/read-models/exchange-archive/queries.ts';
import { findRatingsAt } from '../../projector/read-models/ratings/queries.ts';
import { livenessView } from '../../projector/read-models/recent-exchanges/liveness.ts';
import { evidenceAt, reviewCountOf } from '../../projector/read-models/trust-evidence/queries.ts';
import { findTrustHistory } from '../../projector/read-models/trust-history/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import { isSeenFrom, publicView } from '../agent-view.ts';
import { explainTrust } from '../explain-trust.ts';
import { openRatings } from '../personal-texts.ts';
import { findAgentAt } from '../past/agent-at.ts';
import { momentOf, type MomentSources, positionAt, presentMoment } from '../past/moment.ts';
import type { QueryContext } from '../registry-queries.ts';

/** What an agent's score is made of and which events changed it, and agents as they were. */
export function trustMethods(context: QueryContext) {
  const { findAgent, database, watcher, log, reach, openPersonalText } = context;
  const policyNamed = policiesOf(database);
  const sourcesFor = (call: CallContext): MomentSources => ({
    database,
    log,
    current: () => watcher.current(),
    reach: (position) => reach(String(position), call),
    now: Date.now,
  });
  const agentAt = async (
    asked: { agentId: string; universe: Universe },
    position: bigint | null,
  ): Promise<AgentRecord | null> => {
    const agent = position === null ? null : await findAgentAt(database, policyNamed, asked.agentId, position);
    return agent !== null && isSeenFrom(agent, asked.universe) ? agent : null;
  };
  const archivedBehind = async (position: bigint | null): Promise<{ archivedTo?: string }> => {
    const archive = position === null ? null : await findExchangeArchive(database);
    return archive === null || position === null || position >= archive.lastPosition
      ? {}
      : { archivedTo: String(archive.lastPosition) };
  };
  return within(queryLimits.queriesConcurrentMax, {
    getPastAgent: async (asked, call) => {
      const position = await positionAt(asked.asOf, sourcesFor(call));
      const agent = await agentAt(asked, position);
      return { agent: agent && publicView(agent), ...(await archivedBehind(position)) };
    },
    getPastAgentProfile: async (asked, call) => {
      const position = await positionAt(asked.asOf, sourcesFor(call));
      const agent = await agentAt(asked, position);
      if (agent === null || position === null) return { agent: null, ratings: [] };
      const evidence = await evidenceAt(database, policyNamed, asked.agentId, position);
      const ratings = await findRatingsAt(database, {
        agentId: asked.agentId,
        universe: universeKey(asked.universe),
        position,
        reviewsReceived: reviewCountOf(evidence),
        countMax: limits.ratingsShownMax,
      });
      const contactInfo = await openPersonalText('contactInfo', agent.contactInfo);
      return {
        agent: { ...publicView(agent), contactInfo },
        ratings: await openRatings(openPersonalText, ratings),
        ...(await archivedBehind(position)),
      };
    },
    explainTrust: async ({ limit, offset, ...asked }, call) => {
      const sources = sourcesFor(call);
      const moment = await (asked.asOf === null ? presentMoment(sources) : momentOf(asked.asOf, sources));
      const agent = await agentAt(asked, moment && moment.position);
      if (agent === null || moment === null) return { trust: null, reviewsTotal: 0 };
      const { agentId } = asked;
      const { trust, reviewsTotal } = await explainTrust(database, policyNamed, { agentId, moment, limit, offset });
      const block = blockOf(agent);
      const liveness = livenessView(agent.liveness);
      return { trust: { ...trust, flags: block === null ? [] : [block], liveness }, reviewsTotal };
    },
    getTrustHistory: async ({ agentId, universe, limit, offset }) => {
      const agent = await findAgent(agentId, universe);
      return agent === null ? { history: null, total: 0 } : findTrustHistory(database, { agentId, limit, offset });
    },
  });
}
