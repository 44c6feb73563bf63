import { agentCaps, type AverageV2, averageOf } from './average.ts';
import { isEstablished } from './mark.ts';
import { PRIOR_UNAFFILIATED, type RulesV2 } from './rules.ts';
import { isFalling, lineOf, type ScoreLine } from './verdict.ts';
import { type EvidenceView, NO_PLACE } from './view.ts';

/** What lifts the prior of an unaffiliated agent: the voice that ranks third (`voices`). */
export type ThirdVoice = { place: number; voice: number; lift: number };

/** All that an agent's score and its explanation are made from. */
export type AgentAverages = {
  all: AverageV2;
  recent: AverageV2 | null;
  thirdVoice: ThirdVoice | null;
  line: ScoreLine;
};

/** Section 3 of the policy. `base` is the prior that the agent's registration recorded. */
export function averagesOfAgent(view: EvidenceView, base: number, rules: RulesV2): AgentAverages {
  const caps = agentCaps(view.marks, base, rules);
  const all = averageOf(view, caps, rules);
  const recentSums = view.recent(NO_PLACE);
  const recent = recentSums === null ? null : averageOf(recentSums, caps, rules);
  const thirdVoice = base === PRIOR_UNAFFILIATED ? findThirdVoice(view, base, rules) : null;
  const falls = isFalling(all, recent, recentSums?.badRoots ?? 0, rules);
  const points = all.points + rules.strength * (thirdVoice?.lift ?? 0);
  const line: ScoreLine = {
    all: { ...lineOf(all), points },
    recent: falls && recent !== null ? lineOf(recent) : null,
  };
  return { all, recent, thirdVoice, line };
}

/** The strongest voices are few, so they are kept in a short sorted list; of equal ones the first in alphabetical order ranks higher. */
const findThirdVoice = (view: EvidenceView, base: number, rules: RulesV2): ThirdVoice | null => {
  const strongest: { place: number; voice: number }[] = [];
  for (let place = 0; place < view.roots.length; place += 1) {
    if (!isEstablished(view.marks[place] ?? 0)) continue;
    const weight = view.weights[place] ?? 0;
    if (weight <= 0) continue;
    const content = (100 * ((view.values[place] ?? 0) / weight) - base) / (100 - base);
    const voice = Math.min(1, weight / rules.fullVoiceWeight) * Math.max(0, content);
    if (voice <= (strongest[rules.voices - 1]?.voice ?? 0)) continue;
    const rank = strongest.findIndex((other) => other.voice < voice);
    strongest.splice(rank === -1 ? strongest.length : rank, 0, { place, voice });
    if (strongest.length > rules.voices) strongest.pop();
  }
  const third = strongest[rules.voices - 1];
  return third === undefined ? null : { ...third, lift: rules.priorLiftMax * third.voice };
};
