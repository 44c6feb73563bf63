import type { CapabilityCandidate, CapabilityResolution, WeightedCapability } from '@agent-trust/contracts';
import { mergeCapabilities } from '../agent/configuration.ts';
import { unreachable } from '../decider.ts';

/** A client's answers to the questions about names, by normal form of the name. */
export type ConfirmationAnswers = {
  confirmations: Readonly<Record<string, boolean>>;
  candidateMatches: Readonly<Record<string, string>>;
};

/** An answered question. If it was rejected, `candidate` is the one that the client named, else the closest. */
export type AnsweredConfirmation = { submitted: string; candidate: string; accepted: boolean };

export type CapabilityConfirmation =
  | { outcome: 'confirmed'; capabilities: WeightedCapability[]; answered: AnsweredConfirmation[] }
  | {
      outcome: 'confirmation_required';
      /** Submitted name → the best candidate. */
      candidateMatches: Record<string, string>;
      candidates: Record<string, CapabilityCandidate[]>;
      /** Capabilities that no answer can change; the weight tiers can be checked for them already. */
      settled: WeightedCapability[];
    };

/** The result for a submitted name. */
type Meaning =
  | { kind: 'settled'; canonical: string; answered: AnsweredConfirmation | null }
  | { kind: 'open'; best: CapabilityCandidate; candidates: CapabilityCandidate[] };

/**
 * Turns submitted capabilities into canonical ones, or asks. Accepted at once: a canonical name, an alias that the client does not reject,
 * and a name close to no other, which becomes canonical itself. A name that is only close needs an answer: yes to one of the candidates
 * offered now, or no, which keeps the name. One open question leaves all undecided; only open questions are asked.
 *
 * @param submitted names in normal form
 * @param resolutions the taxonomy's resolutions; a name without one is taken as it is
 */
export function confirmCapabilities(request: {
  submitted: readonly WeightedCapability[];
  resolutions: readonly CapabilityResolution[];
  answers: ConfirmationAnswers;
}): CapabilityConfirmation {
  const { submitted, answers } = request;
  const resolutions = new Map(request.resolutions.map((resolution) => [resolution.name, resolution]));
  const names = [...new Set(submitted.map(({ name }) => name))];
  const meanings = new Map(names.map((name) => [name, meaningOf(name, resolutions.get(name), answers)]));

  const open = [...meanings].flatMap(([name, meaning]) => (meaning.kind === 'open' ? [{ name, ...meaning }] : []));
  const settled = submitted.flatMap(({ name, weight }) => {
    const meaning = meanings.get(name);
    return meaning?.kind === 'settled' ? [{ name: meaning.canonical, weight }] : [];
  });
  if (open.length > 0) {
    const possible = new Set(open.flatMap(({ name, candidates }) => [name, ...candidates.map((offer) => offer.name)]));
    return {
      outcome: 'confirmation_required',
      candidateMatches: Object.fromEntries(open.map(({ name, best }) => [name, best.name])),
      candidates: Object.fromEntries(open.map(({ name, candidates }) => [name, candidates])),
      // A yes may merge the name in question into another and raise its weight; so may a no, which keeps the name.
      settled: mergeCapabilities(settled).filter(({ name }) => !possible.has(name)),
    };
  }
  return {
    outcome: 'confirmed',
    capabilities: mergeCapabilities(settled),
    answered: [...meanings.values()].flatMap((meaning) =>
      meaning.kind === 'settled' && meaning.answered !== null ? [meaning.answered] : [],
    ),
  };
}

const meaningOf = (
  name: string,
  resolution: CapabilityResolution | undefined,
  answers: ConfirmationAnswers,
): Meaning => {
  if (resolution === undefined) return { kind: 'settled', canonical: name, answered: null };
  switch (resolution.outcome) {
    case 'exact':
      return { kind: 'settled', canonical: resolution.canonical, answered: null };
    case 'alias':
      return meaningOfAlias(name, resolution.canonical, answers);
    case 'unknown':
      return { kind: 'settled', canonical: name, answered: null };
    case 'clear':
    case 'ambiguous':
      return meaningOfClose(name, resolution.candidates, answers);
    default:
      return unreachable(resolution);
  }
};

/** An alias holds for every client that does not reject it; a rejection counts for this agent only. */
const meaningOfAlias = (name: string, canonical: string, answers: ConfirmationAnswers): Meaning =>
  ownEntry(answers.confirmations, name) === false
    ? { kind: 'settled', canonical: name, answered: { submitted: name, candidate: canonical, accepted: false } }
    : { kind: 'settled', canonical, answered: null };

const meaningOfClose = (name: string, candidates: CapabilityCandidate[], answers: ConfirmationAnswers): Meaning => {
  const [best] = candidates;
  if (best === undefined) throw new Error(`${name} is close to something, but nothing is offered for it`);
  const accepted = ownEntry(answers.confirmations, name);
  const match = ownEntry(answers.candidateMatches, name);
  const meant = candidates.find((candidate) => candidate.name === match);
  if (accepted === false) {
    return {
      kind: 'settled',
      canonical: name,
      answered: { submitted: name, candidate: (meant ?? best).name, accepted },
    };
  }
  // A yes must name its candidate: the taxonomy learns, so other candidates may be offered now than the client saw.
  if (accepted === undefined || meant === undefined) return { kind: 'open', best, candidates };
  return { kind: 'settled', canonical: meant.name, answered: { submitted: name, candidate: meant.name, accepted } };
};

/** A client's name may be `constructor`, which every object inherits. */
const ownEntry = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
