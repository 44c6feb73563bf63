import {
  aims,
  type Answered,
  isFalseResolve,
  type Measures,
  offeredNames,
  placeOfRightName,
  settledName,
} from './measures.ts';

const figure = (value: number): string => value.toFixed(3);

/** What a set of phrases came to, one measure a line. */
export function measureLines(title: string, measures: Measures): string[] {
  return [
    `${title}: ${measures.phrases} phrases, ${measures.unknownPhrases} of them for things that the taxonomy does not have`,
    `  recall@5            ${figure(measures.recallAt5)}   (aim: at least ${aims.recallAt5Min})`,
    `  MRR                 ${figure(measures.meanReciprocalRank)}`,
    `  false-resolve rate  ${figure(measures.falseResolveRate)}   (aim: at most ${aims.falseResolveRateMax})`,
    `  clear rate          ${figure(measures.clearRate)}`,
    `  needless offers     ${figure(measures.needlessOfferRate)}`,
  ];
}

/** The phrases that were not resolved well, with what was offered instead. */
export function faultLines(answered: readonly Answered[]): string[] {
  return answered.flatMap((phrase) => {
    const offered = offeredNames(phrase.resolution).join(', ') || 'nothing';
    if (isFalseResolve(phrase)) return [`  false    ${phrase.phrase}: taken for ${settledName(phrase.resolution)}`];
    if (phrase.expected.length === 0) {
      return phrase.resolution.outcome === 'unknown' ? [] : [`  needless ${phrase.phrase}: offered ${offered}`];
    }
    if (placeOfRightName(phrase) !== null) return [];
    return [`  missed   ${phrase.phrase}: ${phrase.expected.join(' or ')}; offered ${offered}`];
  });
}
