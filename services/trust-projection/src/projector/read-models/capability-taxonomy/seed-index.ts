import { limits } from '@agent-trust/contracts';
import { closeness, type RankedCandidate } from './closeness.ts';
import { isEnglish, sensesOf } from './english.ts';
import { MeaningIndex, phraseMeaning, type PhraseMeaning } from './meaning-index.ts';
import { isRelated, type Signs } from './relatedness.ts';
import { genericWords, stopWords, synonymGroups } from './vocabulary.ts';
import { contentWordsOf, lettersApart, stemOf, trigramSimilarity, trigramsOf, variantsOf, wordsOf } from './words.ts';

/** How candidates are found and ranked; `docs/capabilities.md` says what each figure does. */
export const ranking = {
  /** What a word counts by where a capability has it. */
  fieldStrength: { name: 1, alias: 0.9, phrase: 0.8, description: 0.5 },
  /** What a known word counts that means the same. */
  synonymSimilarity: 0.7,
  /** What another form of an unknown word counts (see `words.ts`), and a known word that begins like it. */
  otherFormSimilarity: 0.95,
  sameBeginningSimilarity: 0.8,
  sameBeginningCharsMin: 5,
  sameBeginningLettersMoreMax: 3,
  /** A word that no capability uses is taken for a misspelt one that differs in one letter, from this length on, or in two. */
  oneLetterCharsMin: 5,
  twoLettersCharsMin: 10,
  spellingGuessesMax: 2,
  /** Two words that are one with others: `book_keeping`. */
  joinedCharsMin: 6,
  /** One word that is two with others, of so many letters at least: `timezone`. What each of them counts. */
  partCharsMin: 3,
  partSimilarity: 0.9,
  /** What a generic word weighs of what it would. */
  genericWeight: 0.25,
  /** How much the logarithm of the number of its senses takes from what a word proves. */
  sensesWeight: 1.5,
  /** What a word counts against a capability that lacks it, if another capability has it: the question is in this world at least. */
  knownElsewhere: 0.7,
  /** What a run of words counts that is one of a capability's texts, and how much of that however little of the name it is. */
  runStrength: 0.9,
  runShareMin: 0.5,
  runWords: { min: 2, max: 6 },
  /** A run that more capabilities have says nothing. */
  runCapabilitiesMax: 3,
  /** Words of a name that are looked at; a name of 50 characters seldom has more. */
  wordsMax: 16,
  /** Labels are compared if they are this alike by trigrams, or belong to one of so many capabilities whose texts have the words. */
  labelTrigramsMin: 0.3,
  textCandidatesMax: 40,
  /** The nearest texts are looked for in so many capabilities whose words are most alike, and in as many whose middle is nearest. */
  meaningCandidatesMax: 40,
  /** How similar a capability is: by words, by its nearest texts, and by the middle of its texts. */
  shares: { words: 0.5, texts: 0.33, centre: 0.17 },
  /** Share of a name's meaning (its words by weight) that a learned name must have in common with it to be looked at. */
  learnedOverlapMin: 0.5,
} as const;

/** A capability with the texts that it is searched by. */
export type SearchedCapability = {
  name: string;
  aliases: readonly string[];
  phrases: readonly string[];
  description: string;
};

/**
 * A word of a name: the stems that it may stand for with how sure that is (0–1), its share of the name's meaning, and what it proves (0–1,
 * where 1 is a word of one sense that no capability uses).
 */
type Term = { word: string; stems: ReadonlyMap<string, number>; weight: number; evidence: number };

/** A name taken apart. */
export type Asked = {
  terms: readonly Term[];
  /** It has nothing but generic words: the taxonomy says nothing of it. */
  isGeneric: boolean;
  trigrams: ReadonlySet<string>;
  numbers: string;
  stems: readonly string[];
  meaning: PhraseMeaning;
  /** Words one of which a learned name must have, to have enough of the name (prefix filtering, Chaudhuri et al., ICDE 2006). */
  heavyWords: readonly string[];
};

/** A label that agents brought, and the name that it leads to. */
export type LearnedLabel = { label: string; name: string };

/** A capability as a name sees it: how similar it is, and by what (all 0–1). */
export type Seen = {
  name: string;
  similarity: number;
  words: number;
  texts: number;
  centre: number;
};

type Label = { capability: number; stems: ReadonlySet<string>; trigramCount: number; numbers: string };

/** By capability: how much of a name its texts have, and what the words prove that they have. */
type Covered = { coverage: ReadonlyMap<number, number>; evidence: ReadonlyMap<number, number> };
const nothingCovered: Covered = { coverage: new Map(), evidence: new Map() };

const numbersIn = (text: string): string => (text.match(/[0-9]+/g) ?? []).join(' ');

const generic: ReadonlySet<string> = new Set(genericWords.map(stemOf));
const synonyms: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>();
  for (const group of synonymGroups) {
    for (const word of group) {
      const others = found.get(stemOf(word)) ?? new Set<string>();
      for (const other of group) if (stemOf(other) !== stemOf(word)) others.add(stemOf(other));
      found.set(stemOf(word), others);
    }
  }
  return found;
})();

/**
 * The seed taxonomy, indexed in memory by words, runs of words and trigrams. Pure: the same capabilities and the same name give the same
 * answer.
 */
export class SeedIndex {
  readonly #names: string[] = [];
  /** By stem: the capabilities that have the word, with what it counts there. */
  readonly #postings = new Map<string, Map<number, number>>();
  /** Every word in use by its first letter, for spellings and beginnings. */
  readonly #words = new Map<string, Map<string, string>>();
  readonly #joinable = new Set<string>();
  readonly #runs = new Map<string, Set<number>>();
  readonly #labels: Label[] = [];
  readonly #labelsOf: number[][] = [];
  readonly #labelsByTrigram = new Map<string, number[]>();
  readonly #numberOf = new Map<string, number>();
  readonly #meanings = new MeaningIndex();

  constructor(capabilities: readonly SearchedCapability[]) {
    for (const capability of capabilities) this.#add(capability);
  }

  has(name: string): boolean {
    return this.#numberOf.has(name);
  }

  /** Takes a name apart: its words, which of them the taxonomy knows and in which form, and what they weigh. */
  ask(name: string): Asked {
    const words = [...new Set(this.#joined(contentWordsOf(name)))].slice(0, ranking.wordsMax);
    const weighed = new Map<string, { word: string; stems: Map<string, number>; idf: number }>();
    for (const word of words) {
      const stem = stemOf(word);
      if (weighed.has(stem)) continue;
      const stems = this.#stemsFor(word, stem);
      const uses = this.#usesOf(stem) || Math.max(...[...stems.keys()].map((it) => this.#usesOf(it)));
      const idf = this.#inverseFrequency(uses);
      weighed.set(stem, { word, stems, idf: idf * (isGeneric(word, stem, uses) ? ranking.genericWeight : 1) });
    }
    const all = [...weighed.values()];
    const total = all.reduce((sum, { idf }) => sum + idf, 0);
    const idfMax = this.#inverseFrequency(0);
    const terms = all.map(({ word, stems, idf }) => {
      const proves = 1 / (1 + ranking.sensesWeight * Math.log(sensesOf(stemOf(word))));
      return { word, stems, weight: idf / total, evidence: (proves * idf) / idfMax };
    });
    return {
      terms,
      isGeneric: [...weighed.keys()].every((stem) => generic.has(stem)),
      trigrams: trigramsOf(name),
      numbers: numbersIn(name),
      stems: wordsOf(name).map(stemOf),
      meaning: phraseMeaning(contentWordsOf(name).map(stemOf)),
      heavyWords: heavyWordsOf(terms),
    };
  }

  /**
   * The capabilities that a name is close to, best first, at most `capabilityCandidatesMax`.
   *
   * @param learned labels that agents brought and that may be close
   * @param byMeaning what an embedding model has to say of some names: similarity by name
   */
  rank(
    asked: Asked,
    learned: readonly LearnedLabel[],
    byMeaning: ReadonlyMap<string, number> = new Map(),
  ): RankedCandidate[] {
    const covered = asked.isGeneric ? nothingCovered : this.#coverage(asked);
    const labels = this.#labelSimilarities(asked, covered.coverage);
    const learnedCoverage = new Map<string, number>();
    for (const { label, name } of learned) {
      const compared = compare(asked, labelOf(label), sharedTrigrams(asked.trigrams, label));
      if (compared === null) continue;
      raise(labels, name, compared.similarity);
      // A learned name has no texts beside its label.
      if (!this.has(name)) raise(learnedCoverage, name, compared.coverage);
    }
    const candidates: RankedCandidate[] = [];
    for (const [name, coverage] of learnedCoverage) {
      const labelSimilarity = labels.get(name) ?? 0;
      const similarity = (labelSimilarity + coverage) / 2;
      if (similarity >= closeness.learnedCloseMin) candidates.push(candidateOf(name, similarity, labelSimilarity));
    }
    const { seen, signs } = this.#seen(asked, labels, covered);
    const isClose = !asked.isGeneric && isRelated(signs);
    const similarities = new Map(isClose ? seen.map((it) => [it.name, it.similarity]) : []);
    const modelIsSure = [...byMeaning].some(([name, value]) => value >= closeness.closeMin && this.has(name));
    for (const [name, value] of byMeaning) if (modelIsSure && this.has(name)) raise(similarities, name, value);
    const best = Math.max(0, ...similarities.values());
    for (const [name, similarity] of similarities) {
      if (similarity > 0 && similarity >= closeness.besideBestMin * best)
        candidates.push(candidateOf(name, similarity, labels.get(name) ?? 0));
    }
    return candidates
      .toSorted(
        (a, b) => b.similarity - a.similarity || b.labelSimilarity - a.labelSimilarity || compareText(a.name, b.name),
      )
      .slice(0, limits.capabilityCandidatesMax);
  }

  /** What a name has in common with the capabilities that are worth a look, best first, and what tells whether it means any of them. */
  examine(asked: Asked): { seen: Seen[]; signs: Signs } {
    const covered = this.#coverage(asked);
    return this.#seen(asked, this.#labelSimilarities(asked, covered.coverage), covered);
  }

  #seen(
    asked: Asked,
    labels: ReadonlyMap<string, number>,
    { coverage, evidence }: Covered,
  ): { seen: Seen[]; signs: Signs } {
    const { coverageAlone, evidenceWeight, evidenceEnough } = closeness;
    const { vector } = asked.meaning;
    const centres = vector === null ? [] : this.#meanings.centres(vector);
    const byWords = this.#names.map((name, number) => {
      const covered = coverage.get(number) ?? 0;
      const alike = Math.max(((labels.get(name) ?? 0) + covered) / 2, coverageAlone * covered);
      return (
        (alike + evidenceWeight * Math.min(1, (evidence.get(number) ?? 0) / evidenceEnough)) / (1 + evidenceWeight)
      );
    });
    const { shares, meaningCandidatesMax } = ranking;
    const looked = new Set([...greatest(byWords, meaningCandidatesMax), ...greatest(centres, meaningCandidatesMax)]);
    const withoutTexts = (number: number): number =>
      shares.words * (byWords[number] ?? 0) + shares.centre * Math.max(0, centres[number] ?? 0);
    const seen: Seen[] = [];
    let atLeast = 0;
    for (const number of [...looked].toSorted((a, b) => withoutTexts(b) - withoutTexts(a) || a - b)) {
      // Its texts could not bring it, nor any after it, among those that are offered.
      if (vector !== null && withoutTexts(number) + shares.texts < atLeast) break;
      const words = byWords[number] ?? 0;
      const texts = vector === null ? 0 : this.#meanings.texts(number, vector);
      seen.push({
        name: this.#names[number] ?? '',
        similarity: vector === null ? words : withoutTexts(number) + shares.texts * texts,
        words,
        texts,
        centre: Math.max(0, centres[number] ?? 0),
      });
      seen.sort((x, y) => y.similarity - x.similarity || compareText(x.name, y.name));
      atLeast = seen[limits.capabilityCandidatesMax - 1]?.similarity ?? 0;
    }
    return { seen, signs: this.#signs(asked, seen, byWords, { coverage, evidence }) };
  }

  #signs({ terms, meaning }: Asked, seen: readonly Seen[], byWords: readonly number[], covered: Covered): Signs {
    const best = [...byWords.keys()].reduce((a, b) => ((byWords[b] ?? 0) > (byWords[a] ?? 0) ? b : a), 0);
    const greatestWords = Float64Array.from(byWords).toSorted().toReversed();
    const wordsAt = (place: number): number => greatestWords[place] ?? 0;
    const isUnknown = ({ stems }: Term): boolean => ![...stems.keys()].some((stem) => this.#postings.has(stem));
    return {
      bestWords: wordsAt(0),
      secondWords: wordsAt(1),
      nextWords: (wordsAt(2) + wordsAt(3) + wordsAt(4)) / 3,
      coverage: covered.coverage.get(best) ?? 0,
      evidence: Math.min(1, (covered.evidence.get(best) ?? 0) / closeness.evidenceEnough),
      firstWords: seen[0]?.words ?? 0,
      firstTexts: seen[0]?.texts ?? 0,
      firstCentre: seen[0]?.centre ?? 0,
      domain: meaning.domain,
      domainMin: meaning.domainMin,
      unknown: terms.filter(isUnknown).reduce((sum, { weight }) => sum + weight, 0),
      words: Math.min(signWordsMax, terms.length),
      proof: Math.max(0, ...terms.map(({ evidence }) => evidence)),
    };
  }

  #add({ name, aliases, phrases, description }: SearchedCapability): void {
    const number = this.#names.push(name) - 1;
    this.#numberOf.set(name, number);
    const { fieldStrength } = ranking;
    this.#meanings.add([
      this.#addWords(number, name, fieldStrength.name),
      ...aliases.map((alias) => this.#addWords(number, alias, fieldStrength.alias)),
      ...phrases.map((phrase) => this.#addWords(number, phrase, fieldStrength.phrase)),
      this.#addWords(number, description, fieldStrength.description),
    ]);
    for (const text of [name, ...aliases, ...phrases]) this.#addRun(number, text);
    this.#labelsOf[number] = [name, ...aliases].map((label) => this.#addLabel(number, label));
  }

  #addWords(capability: number, text: string, strength: number): string[] {
    return contentWordsOf(text).map((word) => {
      const stem = stemOf(word);
      const posting = this.#postings.get(stem) ?? new Map<number, number>();
      this.#postings.set(stem, posting);
      raise(posting, capability, strength);
      const letter = word.slice(0, 1);
      const words = this.#words.get(letter) ?? new Map<string, string>();
      this.#words.set(letter, words.set(word, stem));
      if (word.length >= ranking.joinedCharsMin) this.#joinable.add(stem);
      return stem;
    });
  }

  #addRun(capability: number, text: string): void {
    const words = wordsOf(text);
    const { min, max } = ranking.runWords;
    if (words.length < min || words.length > max) return;
    if (words.every((word) => stopWords.has(word) || generic.has(stemOf(word)))) return;
    const run = words.map(stemOf).join(' ');
    this.#runs.set(run, (this.#runs.get(run) ?? new Set()).add(capability));
  }

  #addLabel(capability: number, text: string): number {
    const trigrams = trigramsOf(text);
    const number = this.#labels.push({ ...labelOf(text), capability, trigramCount: trigrams.size }) - 1;
    for (const trigram of trigrams) {
      const labels = this.#labelsByTrigram.get(trigram);
      if (labels === undefined) this.#labelsByTrigram.set(trigram, [number]);
      else labels.push(number);
    }
    return number;
  }

  /** The rarer a word is among the capabilities, the more it says (inverse document frequency). */
  #inverseFrequency(uses: number): number {
    return Math.log(1 + Math.max(1, this.#names.length) / Math.max(uses, 0.5));
  }

  #usesOf(stem: string): number {
    return this.#postings.get(stem)?.size ?? 0;
  }

  /** Words that are written apart, as the taxonomy has them. */
  #joined(words: readonly string[]): string[] {
    const out: string[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? '';
      const together = word + (words[at + 1] ?? '');
      const isOne =
        at + 1 < words.length &&
        together.length >= ranking.joinedCharsMin &&
        [together, ...variantsOf(together)].some((it) => this.#joinable.has(stemOf(it)));
      out.push(isOne ? together : word);
      if (isOne) at += 1;
    }
    return out;
  }

  /** What a word may stand for among the words of the taxonomy. */
  #stemsFor(word: string, stem: string): Map<string, number> {
    // Itself, even if the taxonomy lacks it: a learned name may have it.
    const stems = new Map([[stem, 1]]);
    for (const synonym of synonyms.get(stem) ?? []) {
      if (this.#postings.has(synonym)) stems.set(synonym, ranking.synonymSimilarity);
    }
    for (const variant of variantsOf(word).map(stemOf)) {
      if (this.#postings.has(variant)) raise(stems, variant, ranking.otherFormSimilarity);
    }
    if (stems.size > 1 || this.#postings.has(stem)) return stems;
    for (const part of this.#partsOf(word)) raise(stems, part, ranking.partSimilarity);
    if (stems.size > 1) return stems;
    for (const { stem: known, similarity } of this.#spelledAlike(word)) raise(stems, known, similarity);
    return stems;
  }

  /** The two words that an unknown one is made of, if a capability has both; the first one as it is written there. */
  #partsOf(word: string): string[] {
    const written = this.#words.get(word.slice(0, 1));
    for (let at = ranking.partCharsMin; at <= word.length - ranking.partCharsMin; at += 1) {
      const first = written?.get(word.slice(0, at));
      if (first === undefined) continue;
      const second = stemOf(word.slice(at));
      const withSecond = this.#postings.get(second);
      if (withSecond === undefined) continue;
      for (const capability of this.#postings.get(first)?.keys() ?? []) {
        if (withSecond.has(capability)) return [first, second];
      }
    }
    return [];
  }

  #spelledAlike(word: string): { stem: string; similarity: number }[] {
    const { oneLetterCharsMin, twoLettersCharsMin, sameBeginningCharsMin, sameBeginningLettersMoreMax } = ranking;
    if (word.length < oneLetterCharsMin) return [];
    const apartMax = isEnglish(word) ? 0 : word.length >= twoLettersCharsMin ? 2 : 1;
    const alike: { word: string; stem: string; similarity: number }[] = [];
    let beginning: { stem: string; similarity: number; lettersMore: number } | null = null;
    // A misspelt word seldom begins with a wrong letter, and a different word often does.
    for (const [known, stem] of this.#words.get(word.slice(0, 1)) ?? []) {
      const shorter = Math.min(known.length, word.length);
      const lettersMore = Math.abs(known.length - word.length);
      if (apartMax > 0 && shorter >= oneLetterCharsMin && lettersMore <= apartMax && !/[0-9]/.test(word)) {
        const apart = lettersApart(word, known, apartMax);
        const similarity = 1 - apart / Math.max(word.length, known.length);
        if (apart <= apartMax) alike.push({ word: known, stem, similarity });
      }
      if (shorter < sameBeginningCharsMin || lettersMore > sameBeginningLettersMoreMax) continue;
      if (beginning !== null && beginning.lettersMore <= lettersMore) continue;
      if (known.startsWith(word.slice(0, shorter)) && word.startsWith(known.slice(0, shorter))) {
        beginning = { stem, similarity: ranking.sameBeginningSimilarity, lettersMore };
      }
    }
    const guesses = alike
      .toSorted((a, b) => b.similarity - a.similarity || compareText(a.word, b.word))
      .slice(0, ranking.spellingGuessesMax);
    return beginning === null ? guesses : [...guesses, beginning];
  }

  /** How much of a name's meaning each capability's texts have (0–1), by where they have it, and what those words prove. */
  #coverage({ terms, stems }: Asked): Covered {
    const covered = new Map<number, number>();
    const evidence = new Map<number, number>();
    const met = new Map<number, number>();
    let known = 0;
    for (const term of terms) {
      const best = new Map<number, number>();
      for (const [stem, similarity] of term.stems) {
        for (const [capability, strength] of this.#postings.get(stem) ?? [])
          raise(best, capability, similarity * strength);
      }
      if (best.size > 0) known += term.weight;
      for (const [capability, strength] of best) {
        covered.set(capability, (covered.get(capability) ?? 0) + term.weight * strength);
        evidence.set(capability, (evidence.get(capability) ?? 0) + term.evidence * strength);
        met.set(capability, (met.get(capability) ?? 0) + term.weight);
      }
    }
    for (const [capability, value] of covered) {
      const elsewhere = known - (met.get(capability) ?? 0);
      covered.set(capability, value / (1 - (1 - ranking.knownElsewhere) * elsewhere));
    }
    const { min, max } = ranking.runWords;
    for (let from = 0; from < stems.length; from += 1) {
      for (let count = min; count <= max && from + count <= stems.length; count += 1) {
        const capabilities = this.#runs.get(stems.slice(from, from + count).join(' '));
        if (capabilities === undefined || capabilities.size > ranking.runCapabilitiesMax) continue;
        const share = ranking.runShareMin + ((1 - ranking.runShareMin) * count) / stems.length;
        for (const capability of capabilities) raise(covered, capability, ranking.runStrength * share);
      }
    }
    return { coverage: covered, evidence };
  }

  /** How alike the name and the best label of each capability are (0–1), of those that are worth a look. */
  #labelSimilarities(asked: Asked, coverage: ReadonlyMap<number, number>): Map<string, number> {
    const shared = new Map<number, number>();
    for (const trigram of asked.trigrams) {
      for (const label of this.#labelsByTrigram.get(trigram) ?? []) shared.set(label, (shared.get(label) ?? 0) + 1);
    }
    const looked = new Set<number>();
    for (const [label, count] of shared) {
      const size = this.#labels[label]?.trigramCount ?? 0;
      if (trigramSimilarity(count, asked.trigrams.size, size) >= ranking.labelTrigramsMin) looked.add(label);
    }
    const byText = [...coverage].toSorted(([a, coveredA], [b, coveredB]) => coveredB - coveredA || a - b);
    for (const [capability] of byText.slice(0, ranking.textCandidatesMax)) {
      for (const label of this.#labelsOf[capability] ?? []) looked.add(label);
    }
    const similarities = new Map<string, number>();
    for (const number of looked) {
      const label = this.#labels[number];
      if (label === undefined) continue;
      const compared = compare(asked, label, shared.get(number) ?? 0);
      if (compared !== null) raise(similarities, this.#names[label.capability] ?? '', compared.similarity);
    }
    return similarities;
  }
}

/** Up to six words count as a sign, then it is a long name. */
const signWordsMax = 6;

/** The places of the greatest values above 0, a few more if several are equal. */
const greatest = (values: readonly number[], count: number): number[] => {
  const least = Float64Array.from(values).toSorted()[Math.max(0, values.length - count)] ?? 0;
  return values.flatMap((value, place) => (value > 0 && value >= least ? [place] : []));
};

const candidateOf = (name: string, similarity: number, labelSimilarity: number): RankedCandidate => ({
  name,
  similarity: Math.min(1, Number(similarity.toFixed(4))),
  labelSimilarity,
});

const labelOf = (text: string): Omit<Label, 'capability'> => ({
  stems: new Set(contentWordsOf(text).map(stemOf)),
  trigramCount: trigramsOf(text).size,
  numbers: numbersIn(text),
});

const sharedTrigrams = (asked: ReadonlySet<string>, text: string): number =>
  [...trigramsOf(text)].filter((trigram) => asked.has(trigram)).length;

/**
 * How alike a name and a label are: by trigrams, or by how much of the name's weight the label has and how much of the label the name has
 * (harmonic mean), whichever is more. Null for names that differ in a number: they are names of different things, however alike the rest is.
 */
const compare = (
  asked: Asked,
  label: Omit<Label, 'capability'>,
  shared: number,
): { similarity: number; coverage: number } | null => {
  if (asked.numbers !== '' && label.numbers !== '' && asked.numbers !== label.numbers) return null;
  let recall = 0;
  let matched = 0;
  for (const { stems, weight } of asked.terms) {
    let best = 0;
    for (const [stem, similarity] of stems) if (label.stems.has(stem)) best = Math.max(best, similarity);
    recall += weight * best;
    matched += best;
  }
  const precision = Math.min(1, matched / Math.max(1, label.stems.size));
  const words = recall + precision > 0 ? (2 * recall * precision) / (recall + precision) : 0;
  const trigrams = trigramSimilarity(shared, asked.trigrams.size, label.trigramCount);
  return { similarity: Math.max(words, trigrams), coverage: Math.max(recall, trigrams) };
};

/** Numbers, models and sizes say little if the taxonomy does not have them. */
const isGeneric = (word: string, stem: string, uses: number): boolean =>
  generic.has(stem) || (uses === 0 && /[0-9]/.test(word));

const heavyWordsOf = (terms: readonly Omit<Term, 'stems'>[]): string[] => {
  let heavier = 0;
  const heavy: string[] = [];
  for (const { word, weight } of terms.toSorted((a, b) => b.weight - a.weight)) {
    if (heavier > 1 - ranking.learnedOverlapMin) break;
    heavy.push(word);
    heavier += weight;
  }
  return heavy;
};

const raise = <Key>(values: Map<Key, number>, key: Key, value: number): void => {
  if (value > (values.get(key) ?? 0)) values.set(key, value);
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
