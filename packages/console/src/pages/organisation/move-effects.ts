import type { OwnerTrustObject } from '@agent-trust/client';
import type { Change } from './changes-of.ts';

type Moved = Pick<OwnerTrustObject, 'agent_id' | 'routing' | 'trust_score' | 'transaction_count'>;

const same = 'the same';

/** What publishing or withdrawing an agent changes, and what of it stays. */
export function moveEffects(kind: 'publish' | 'withdraw', agent: Moved): Change[] {
  const { agent_id: agentId, routing, trust_score: score, transaction_count: calls } = agent;
  const isCallable = routing.endpoint_url !== null;
  const draft = {
    seenBy: 'only your organisation, with its sandbox key',
    calls: 'to and from agents of your sandbox; they never count',
    ratings: 'those of production and of the sandbox',
    changedBy: 'your sandbox key, and its own key',
  };
  const live = {
    seenBy: isCallable ? 'everybody' : 'everybody verifies it; without an endpoint nobody finds or calls it',
    calls: 'to and from agents of production; they count',
    ratings: 'those of production',
    changedBy: 'your production key, and its own key',
  };
  const [before, after] = kind === 'publish' ? [draft, live] : [live, draft];
  return [
    { what: 'Who sees it', before: before.seenBy, after: after.seenBy },
    { what: 'Calls and reviews', before: before.calls, after: after.calls },
    { what: 'Ratings that are shown', before: before.ratings, after: after.ratings },
    { what: 'Changed by', before: before.changedBy, after: after.changedBy },
    { what: 'Id', before: agentId, after: same },
    { what: 'Endpoint', before: routing.endpoint_url ?? 'none', after: same },
    { what: 'Its own key', before: 'works', after: same },
    { what: 'Trust score', before: String(score), after: same },
    { what: 'Calls that count', before: String(calls), after: same },
  ];
}
