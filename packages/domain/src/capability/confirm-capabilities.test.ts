import { isDeepStrictEqual } from 'node:util';
import type { CapabilityResolution, WeightedCapability } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmCapabilities } from './confirm-capabilities.ts';

const weighing1 = (...names: string[]): WeightedCapability[] => names.map((name) => ({ name, weight: 1 }));
const noAnswers = { confirmations: {}, candidateMatches: {} };
const clear = (name: string, ...candidates: string[]): CapabilityResolution => ({
  name,
  outcome: candidates.length === 1 ? 'clear' : 'ambiguous',
  candidates: candidates.map((candidate) => ({ name: candidate, similarity: 0.9 })),
});
const close = clear('translating', 'translation', 'transcription');
const confirmed = (capabilities: WeightedCapability[], answered: object[] = []) => ({
  outcome: 'confirmed',
  capabilities,
  answered,
});

describe('names that cause no question', () => {
  it('a canonical name, an alias and a name similar to nothing are accepted at once', () => {
    const resolutions: CapabilityResolution[] = [
      { name: 'translation', outcome: 'exact', canonical: 'translation' },
      { name: 'mt', outcome: 'alias', canonical: 'machine_translation' },
      { name: 'dowsing', outcome: 'unknown' },
    ];
    const submitted = weighing1('translation', 'mt', 'dowsing');
    expect(confirmCapabilities({ submitted, resolutions, answers: noAnswers })).toEqual(
      confirmed(weighing1('translation', 'machine_translation', 'dowsing')),
    );
  });

  it('a name that was not looked up is accepted unchanged', () => {
    expect(confirmCapabilities({ submitted: weighing1('own'), resolutions: [], answers: noAnswers })).toEqual(
      confirmed(weighing1('own')),
    );
  });

  it('several names of one canonical name are one capability, with the higher weight', () => {
    const submitted = [
      { name: 'translation', weight: 1 },
      { name: 'mt', weight: 3 },
      { name: 'translation', weight: 2 },
    ];
    const resolutions: CapabilityResolution[] = [
      { name: 'translation', outcome: 'exact', canonical: 'translation' },
      { name: 'mt', outcome: 'alias', canonical: 'translation' },
    ];
    expect(confirmCapabilities({ submitted, resolutions, answers: noAnswers })).toEqual(
      confirmed([{ name: 'translation', weight: 3 }]),
    );
  });

  it('an alias that the client declines stays a separate capability of this agent', () => {
    const resolutions: CapabilityResolution[] = [{ name: 'mt', outcome: 'alias', canonical: 'translation' }];
    const answered = (confirmed: boolean) =>
      confirmCapabilities({
        submitted: weighing1('mt'),
        resolutions,
        answers: { confirmations: { mt: confirmed }, candidateMatches: { mt: 'translation' } },
      });
    expect(answered(false)).toEqual({
      ...confirmed(weighing1('mt')),
      answered: [{ submitted: 'mt', candidate: 'translation', accepted: false }],
    });
    expect(answered(true)).toEqual(confirmed(weighing1('translation')));
  });

  it('an answer to an unasked question is ignored', () => {
    const answers = { confirmations: { dowsing: true }, candidateMatches: { dowsing: 'divining' } };
    const resolutions: CapabilityResolution[] = [{ name: 'dowsing', outcome: 'unknown' }];
    expect(confirmCapabilities({ submitted: weighing1('dowsing'), resolutions, answers })).toEqual(
      confirmed(weighing1('dowsing')),
    );
  });
});

describe('a name similar to canonical ones', () => {
  const submitted = weighing1('translating');
  const asked = {
    outcome: 'confirmation_required',
    candidateMatches: { translating: 'translation' },
    candidates: {
      translating: [
        { name: 'translation', similarity: 0.9 },
        { name: 'transcription', similarity: 0.9 },
      ],
    },
    settled: [],
  };
  const answering = (accepted: boolean, candidate?: string) =>
    confirmCapabilities({
      submitted,
      resolutions: [close],
      answers: {
        confirmations: { translating: accepted },
        candidateMatches: candidate === undefined ? {} : { translating: candidate },
      },
    });

  it('causes a question', () => {
    expect(confirmCapabilities({ submitted, resolutions: [close], answers: noAnswers })).toEqual(asked);
  });

  it.each(['translation', 'transcription'])('yes to the offered %s resolves the name to it', (candidate) => {
    expect(answering(true, candidate)).toEqual(
      confirmed(weighing1(candidate), [{ submitted: 'translating', candidate, accepted: true }]),
    );
  });

  it.each(['transmutation', 'translating', '', undefined])(
    'yes to %j, which is not offered, causes the question again',
    (candidate) => {
      expect(answering(true, candidate)).toEqual(asked);
    },
  );

  it.each([
    ['transcription', 'transcription'],
    ['transmutation', 'translation'],
    [undefined, 'translation'],
  ])('no, naming %j, keeps the name; %s is recorded as declined', (named, candidate) => {
    expect(answering(false, named)).toEqual(
      confirmed(submitted, [{ submitted: 'translating', candidate, accepted: false }]),
    );
  });

  it('is asked about alone once the others are answered; until then nothing is decided', () => {
    const outcome = confirmCapabilities({
      submitted: weighing1('translating', 'drawing'),
      resolutions: [close, clear('drawing', 'illustration')],
      answers: { confirmations: { translating: false }, candidateMatches: {} },
    });
    expect(outcome).toMatchObject({
      outcome: 'confirmation_required',
      candidateMatches: { drawing: 'illustration' },
    });
  });
});

describe('faults that no answer can change', () => {
  it('are reported before the questions: the name is neither asked about nor offered', () => {
    const outcome = confirmCapabilities({
      submitted: weighing1('translating', 'translation', 'ocr', 'dowsing'),
      resolutions: [
        close,
        { name: 'translation', outcome: 'exact', canonical: 'translation' },
        { name: 'ocr', outcome: 'alias', canonical: 'text_recognition' },
        { name: 'dowsing', outcome: 'unknown' },
      ],
      answers: noAnswers,
    });
    expect(outcome).toMatchObject({ settled: weighing1('text_recognition', 'dowsing') });
  });

  it('include a name that a no cannot keep, because another name means it already', () => {
    const submitted = [
      { name: 'translating', weight: 2 },
      { name: 'rendering', weight: 1 },
    ];
    const alias = { name: 'rendering', outcome: 'alias', canonical: 'translating' } as const;
    const outcome = confirmCapabilities({ submitted, resolutions: [close, alias], answers: noAnswers });
    expect(outcome).toMatchObject({ outcome: 'confirmation_required', settled: [] });
  });
});

/*
 * Bug class: an answer that never suffices, so that a client is asked forever; an invented capability; a name that is also a property of
 * every object (`constructor`) and counts as answered.
 * Method: names from a small pool, including such properties, with every kind of resolution; the client answers every question.
 */
describe('any submission', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'constructor', '__proto__', 'toString', 'hasOwnProperty');
  const candidate = fc.record({ name, similarity: fc.double({ min: 0, max: 1, noNaN: true }) });
  const outcome = fc.oneof(
    fc.record({ outcome: fc.constantFrom('exact' as const, 'alias' as const), canonical: name }),
    fc.record({
      outcome: fc.constantFrom('clear' as const, 'ambiguous' as const),
      candidates: fc.uniqueArray(candidate, { minLength: 1, maxLength: 5, selector: (one) => one.name }),
    }),
    fc.constant({ outcome: 'unknown' as const }),
  );
  const resolutions = fc
    .dictionary(name, outcome)
    .map((byName) => Object.entries(byName).map(([key, one]) => ({ name: key, ...one }) as CapabilityResolution));
  const submitted = fc.array(fc.record({ name, weight: fc.integer({ min: 1, max: 3 }) }), { maxLength: 10 });

  it('is confirmed once every question is answered, with yes or no, for any candidate', () => {
    fc.assert(
      fc.property(submitted, resolutions, fc.infiniteStream(fc.nat()), (capabilities, known, choices) => {
        const first = confirmCapabilities({ submitted: capabilities, resolutions: known, answers: noAnswers });
        const settled = first.outcome === 'confirmed' ? [] : first.settled;
        const questions = first.outcome === 'confirmed' ? [] : Object.entries(first.candidates);
        const pick = (): number => choices.next().value ?? 0;
        const answers = {
          confirmations: Object.fromEntries(questions.map(([key]) => [key, pick() % 2 === 0])),
          candidateMatches: Object.fromEntries(
            questions.map(([key, offered]) => [key, offered[pick() % offered.length]?.name ?? '']),
          ),
        };
        const second = confirmCapabilities({ submitted: capabilities, resolutions: known, answers });
        if (second.outcome !== 'confirmed') throw new Error('asked again, though every question was answered');
        expect(second.answered.map((one) => one.submitted)).toEqual(questions.map(([key]) => key));
        expect(settled.filter((one) => !second.capabilities.some((it) => isDeepStrictEqual(it, one)))).toEqual([]);
      }),
    );
  });

  it('never leads to a name or weight that was neither submitted nor offered', () => {
    const answers = fc.record({
      confirmations: fc.dictionary(name, fc.boolean()),
      candidateMatches: fc.dictionary(name, fc.oneof(name, fc.string())),
    });
    fc.assert(
      fc.property(submitted, resolutions, answers, (capabilities, known, given) => {
        const result = confirmCapabilities({ submitted: capabilities, resolutions: known, answers: given });
        if (result.outcome !== 'confirmed') return;
        const offered = known.flatMap((one) =>
          'candidates' in one ? one.candidates.map((offer) => offer.name) : 'canonical' in one ? [one.canonical] : [],
        );
        const allowed = new Set([...capabilities.map((one) => one.name), ...offered]);
        const names = result.capabilities.map((one) => one.name);
        expect(names.filter((one) => !allowed.has(one))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
        const weights = new Set(capabilities.map(({ weight }) => weight));
        expect(result.capabilities.filter(({ weight }) => !weights.has(weight))).toEqual([]);
      }),
    );
  });
});
