import { matchScoreSteps, matchWeights } from '@agent-trust/contracts';
import type { Contender, WeightGain } from './contender.ts';

/** What an explanation is made from. */
export type PreviewFacts = {
  rank: number;
  total: number;
  draft: Contender;
  /** The live agent whose record counts for the draft; null when its own does. */
  liveAgentId: string | null;
  /** Why /match would not find the draft as it is, each as the end of a sentence. */
  obstacles: readonly string[];
  /** The agents one rank ahead of and one behind the draft. */
  ahead: Contender | null;
  behind: Contender | null;
  /** The best change of the draft's capabilities, and the rank after it. */
  gain: (WeightGain & { rank: number }) | null;
};

type Part = keyof Contender['parts'];

const partNames: Record<Part, string> = {
  capability: 'capabilities',
  trust: 'trust',
  success: 'success rate',
  activity: 'transactions',
};
const parts = Object.keys(partNames) as Part[];
const raisedBy: Record<Exclude<Part, 'capability'>, string> = {
  trust: 'good reviews raise it',
  success: 'successful reviews raise it',
  activity: 'completed calls of other organisations raise it',
};

const points = (value: number): string => value.toFixed(4);
const score = (steps: number): string => points(steps / matchScoreSteps);
const quoted = (agentId: string): string => JSON.stringify(agentId);

/** Says in a few sentences why a draft ranks where it does: what its score is made of, what separates it from the next, what would raise it. */
export function explainPreview(facts: PreviewFacts): string {
  const { rank, total, draft, liveAgentId, obstacles } = facts;
  const made = parts.map((part) => `${points(draft.parts[part])} for ${partNames[part]}`).join(', ');
  return [
    `Rank ${rank} of ${total} with a match_score of ${score(draft.steps)}: ${made}.`,
    liveAgentId === null ? null : `Everything but capabilities was earned by its live agent, ${quoted(liveAgentId)}.`,
    obstacles.length === 0 ? null : `As it is, /match would not find it: ${obstacles.join('; ')}.`,
    neighbourSentence(facts),
    gainSentence(facts),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

const neighbourSentence = ({ draft, ahead, behind }: PreviewFacts): string => {
  if (ahead !== null) {
    const more = ahead.steps - draft.steps;
    if (more === 0)
      return `${quoted(ahead.agentId)}, one rank ahead, has the same score and ${tieBreak(ahead, draft)}.`;
    return `${quoted(ahead.agentId)}, one rank ahead, scores ${score(more)} more: ${differences(ahead, draft)}.`;
  }
  if (behind === null)
    return 'No other agent that is verified and has a trust_score of 50 or more answers the question.';
  const less = draft.steps - behind.steps;
  if (less === 0) return `Nobody ranks ahead of it; ${quoted(behind.agentId)}, the next, has the same score.`;
  return `Nobody ranks ahead of it; ${quoted(behind.agentId)}, the next, scores ${score(less)} less: ${differences(behind, draft)}.`;
};

/** Where one agent's score differs from another's, the largest difference first. */
const differences = (agent: Contender, from: Contender): string =>
  parts
    .map((part) => ({ part, difference: agent.parts[part] - from.parts[part] }))
    .filter(({ difference }) => Number(points(Math.abs(difference))) > 0)
    .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .map(
      ({ part, difference }) =>
        `${points(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} for ${partNames[part]}`,
    )
    .join(', ') || 'less than 0.0001 in each part';

const tieBreak = (ahead: Contender, draft: Contender): string => {
  if (ahead.trustScore !== draft.trustScore) return `the higher trust_score (${ahead.trustScore})`;
  if (ahead.otherOrgTransactionCount !== draft.otherOrgTransactionCount)
    return `more transactions with other organisations (${ahead.otherOrgTransactionCount})`;
  return 'the same record; its agent_id comes first';
};

const gainSentence = ({ draft, gain, rank }: PreviewFacts): string => {
  if (gain !== null) {
    const { capability, weight, isNew, after } = gain;
    const change = isNew
      ? `Adding ${quoted(capability)} with weight ${weight}`
      : `Weight ${weight} for ${quoted(capability)}`;
    const place = gain.rank === rank ? `keep rank ${rank}` : `bring it to rank ${gain.rank}`;
    return `${change} would add ${score(after.steps - draft.steps)} and ${place}.`;
  }
  const earned = (['trust', 'success', 'activity'] as const).map((part) => ({
    part,
    room: matchWeights[part] - draft.parts[part],
  }));
  const widest = earned.reduce((best, next) => (next.room > best.room ? next : best));
  if (Number(points(widest.room)) === 0) return 'No part of its score can grow.';
  return `What can still grow most is ${partNames[widest.part]}, ${points(draft.parts[widest.part])} of at most ${points(matchWeights[widest.part])}: ${raisedBy[widest.part]}.`;
};
