import type { CapabilityCandidate, CapabilityResolution, WeightedCapability } from '@agent-trust/contracts';
import { mergeCapabilities } from '../agent/merge-capabilities.ts';
import { unreachable } from '../decider.ts';

/** What a client says of the names it was asked about, by their normal form. */
export type ConfirmationAnswers = {
  confirmations: Readonly<Record<string, boolean>>;
  candidateMatches: Readonly<Record<string, string>>;
};

/** A question that was answered. Turned down, `candidate` is the one that the client named, or else the closest. */
export type AnsweredConfirmation = { submitted: string; candidate: string; accepted: boolean };

export type CapabilityConfirmation =
  | { outcome: 'confirmed'; capabilities: WeightedCapability[]; answered: AnsweredConfirmation[] }
  | {
      outcome: 'confirmation_required';
      /** Submitted name → the best candidate. */
      candidateMatches: Record<string, string>;
      candidates: Record<string, CapabilityCandidate[]>;
      /** Capabilities that stay as they are whatever is answered; they can be held to the weight tiers at once. */
      settled: WeightedCapability[];
    };

/** What a submitted name comes to. */
type Meaning =
  | { kind: 'settled'; canonical: string; answered: AnsweredConfirmation | null }
  | { kind: 'open'; best: CapabilityCandidate; candidates: CapabilityCandidate[] };

/**
 * Turns submitted capabilities into canonical ones, or asks. A canonical name is taken at once, and so is an alias unless the
 * client says no to it, and a name that is close to nothing, which becomes canonical itself. A name that is merely close needs an answer: yes to one of the candidates that
 * are offered now, or no, which keeps the name. Only the questions that are still open are asked; one of them leaves all undecided.
 *
 * @param submitted names in normal form
 * @param resolutions what the taxonomy makes of the names; a name without one is taken as it stands
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
      // A yes may merge a name in question into one of the others and raise its weight; so may a no, which keeps that name.
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

/** Others have said what an alias means, and their word holds for whoever says nothing. A no is this agent's own, and counts for it. */
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
  // A yes must say to what: the taxonomy learns, so other candidates may be offered now than those that the client saw.
  if (accepted === undefined || meant === undefined) return { kind: 'open', best, candidates };
  return { kind: 'settled', canonical: meant.name, answered: { submitted: name, candidate: meant.name, accepted } };
};

/** Names are a client's words: `constructor` is one like any other, and not what every object inherits. */
const ownEntry = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
