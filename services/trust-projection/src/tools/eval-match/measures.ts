import { type CapabilityResolution, limits } from '@agent-trust/contracts';

/** A phrase with its right answers, and how it was resolved. */
export type Answered = { phrase: string; expected: string[]; resolution: CapabilityResolution };

/** How well phrases are resolved; `docs/capabilities.md` defines each. All are 0–1, but for the counts. */
export type Measures = {
  phrases: number;
  /** Phrases for things that the taxonomy does not have. */
  unknownPhrases: number;
  /** Of the phrases with a right answer: those that have it among the names offered. */
  recallAt5: number;
  /** Of the same: mean of 1 / place of the first right name, 0 where it is missing. */
  meanReciprocalRank: number;
  /** Of all: those said to mean a name (exact, alias or clear) that is not right. */
  falseResolveRate: number;
  /** Of the phrases with a right answer: those said to mean it. */
  clearRate: number;
  /** Of the unknown phrases: those that something is offered for all the same. */
  needlessOfferRate: number;
};

/** What a set has to reach; `npm run eval:match` fails below it. */
export type Aims = { recallAt5Min: number; falseResolveRateMax: number; needlessOfferRateMax: number };

/** The names that a resolution offers, best first. */
export function offeredNames(resolution: CapabilityResolution): string[] {
  switch (resolution.outcome) {
    case 'exact':
    case 'alias':
      return [resolution.canonical];
    case 'unknown':
      return [];
    default:
      return resolution.candidates.slice(0, limits.capabilityCandidatesMax).map(({ name }) => name);
  }
}

/** The name that a resolution settles on by itself; null when it leaves the choice, or there is none. */
export function settledName(resolution: CapabilityResolution): string | null {
  return resolution.outcome === 'ambiguous' || resolution.outcome === 'unknown'
    ? null
    : (offeredNames(resolution)[0] ?? null);
}

export function isFalseResolve({ expected, resolution }: Answered): boolean {
  const settled = settledName(resolution);
  return settled !== null && !expected.includes(settled);
}

/** Place of the first right name among those offered, from 1; null when none is right. */
export function placeOfRightName({ expected, resolution }: Answered): number | null {
  const index = offeredNames(resolution).findIndex((name) => expected.includes(name));
  return index < 0 ? null : index + 1;
}

export function measure(answered: readonly Answered[]): Measures {
  const known = answered.filter(({ expected }) => expected.length > 0);
  const unknown = answered.filter(({ expected }) => expected.length === 0);
  const places = known.flatMap((phrase) => placeOfRightName(phrase) ?? []);
  return {
    phrases: answered.length,
    unknownPhrases: unknown.length,
    recallAt5: share(places.length, known.length),
    meanReciprocalRank: share(
      places.reduce((sum, place) => sum + 1 / place, 0),
      known.length,
    ),
    falseResolveRate: share(answered.filter(isFalseResolve).length, answered.length),
    clearRate: share(
      known.filter((phrase) => settledName(phrase.resolution) !== null && !isFalseResolve(phrase)).length,
      known.length,
    ),
    needlessOfferRate: share(
      unknown.filter(({ resolution }) => resolution.outcome !== 'unknown').length,
      unknown.length,
    ),
  };
}

export function meetsAims({ recallAt5, falseResolveRate, needlessOfferRate }: Measures, aims: Aims): boolean {
  return (
    recallAt5 >= aims.recallAt5Min &&
    falseResolveRate <= aims.falseResolveRateMax &&
    needlessOfferRate <= aims.needlessOfferRateMax
  );
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const figure = (value: number): string => value.toFixed(3);

/** What a set of phrases came to, one measure a line. */
export function measureLines(title: string, measures: Measures, aims: Aims): string[] {
  return [
    `${title}: ${measures.phrases} phrases, ${measures.unknownPhrases} of them for things that the taxonomy does not have`,
    `  recall@5            ${figure(measures.recallAt5)}   (aim: at least ${aims.recallAt5Min})`,
    `  MRR                 ${figure(measures.meanReciprocalRank)}`,
    `  false-resolve rate  ${figure(measures.falseResolveRate)}   (aim: at most ${aims.falseResolveRateMax})`,
    `  clear rate          ${figure(measures.clearRate)}`,
    `  needless offers     ${figure(measures.needlessOfferRate)}   (aim: at most ${aims.needlessOfferRateMax})`,
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
