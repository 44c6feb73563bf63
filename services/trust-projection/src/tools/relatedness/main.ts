/**
 * Fits what tells whether a name asks for anything that the taxonomy has (`relatedness.json`), with the sets of phrases that resolution is
 * tuned with and with examples of WordNet that the table of words was not made with. Each set in turn is left out first, to see what the
 * choice does to phrases that it was not made with.
 */
import { writeFile } from 'node:fs/promises';
import { runCommand, say } from '@agent-trust/command-line';
import { limits, normaliseCapabilityName } from '@agent-trust/contracts';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import {
  type Coefficients,
  isRelated,
  valueOf,
  type Sign,
  type Signs,
} from '../../projector/read-models/capability-taxonomy/relatedness.ts';
import { SeedIndex } from '../../projector/read-models/capability-taxonomy/seed-index.ts';
import { aimsOfSets, loadPhrases, type PhraseSet, phraseSets } from '../eval-match/phrases.ts';
import { everydayPhrases } from '../word-table/everyday-phrases.ts';
import { logisticRegression } from './logistic-regression.ts';

const file = new URL('../../projector/read-models/capability-taxonomy/relatedness.json', import.meta.url);
const unseen: PhraseSet = 'held-out-5';
/** Its unknown things are near to known ones, so it says nothing of what an unrelated phrase is like. */
const near: PhraseSet = 'held-out';
const everydayMax = 1_500;
/** Unknown phrases are few, and those of the first set are hard to tell; its other phrases and WordNet's are less like what is asked. */
const weightOf = ({ set, isKnown }: Observed): number => {
  if (set === 'everyday') return 0.2;
  if (isKnown) return set.startsWith('development') && set !== 'development-3' ? 0.5 : 1;
  return { development: 8, 'development-2': 2 }[set] ?? 4;
};

type Observed = { set: string; signs: Signs; isKnown: boolean; isFound: boolean };
/** By set: how many unknown phrases may be related. */
type Allowed = ReadonlyMap<string, number>;

await runCommand({
  usage: `Usage: node services/trust-projection/src/tools/relatedness/main.ts --dict <folder>

  --dict   the folder with WordNet's data.* files

Writes relatedness.json. Exit codes: 0 written; 1 failed; 2 wrong arguments.`,
  options: { dict: { type: 'string' } },
  run: async ({ dict }) => {
    if (dict === undefined) return 2;
    const all = await observe(dict);
    const allowed = await allowedRelated();
    for (const set of phraseSets) {
      const own = all.filter((it) => it.set === set);
      if (own.length === 0) continue;
      const chosen = fitted(
        all.filter((it) => it.set !== set),
        allowed,
      );
      say(`${set} left out: ${shares(own, chosen)}`);
    }
    const chosen = fitted(all, allowed);
    for (const set of [...phraseSets, 'everyday']) {
      const own = all.filter((it) => it.set === set);
      if (own.length > 0) say(`${set}: ${shares(own, chosen)}`);
    }
    await writeFile(file, `${JSON.stringify(chosen, null, 2)}\n`);
    return 0;
  },
});

async function allowedRelated(): Promise<Allowed> {
  const allowed = phraseSets.map(async (set): Promise<[string, number]> => {
    const unknown = (await loadPhrases(set)).filter(({ expected }) => expected.length === 0);
    return [set, Math.floor(unknown.length * aimsOfSets[set].needlessOfferRateMax)];
  });
  return new Map(await Promise.all(allowed));
}

async function observe(dict: string): Promise<Observed[]> {
  const taxonomy = await loadTaxonomy();
  const index = new SeedIndex(taxonomy);
  const labels = new Set(taxonomy.flatMap(({ name, aliases }) => [name, ...aliases]));
  const look = (set: string, phrase: string, expected: readonly string[]): Observed[] => {
    const name = normaliseCapabilityName(phrase);
    const asked = index.ask(name);
    if (labels.has(name) || asked.isGeneric) return [];
    const { seen, signs } = index.examine(asked);
    const first = seen.slice(0, limits.capabilityCandidatesMax);
    return [{ set, signs, isKnown: expected.length > 0, isFound: first.some((it) => expected.includes(it.name)) }];
  };
  const sets = await Promise.all(
    phraseSets
      .filter((set) => set !== unseen)
      .map(async (set) => (await loadPhrases(set)).flatMap(({ phrase, expected }) => look(set, phrase, expected))),
  );
  const everyday = (await everydayPhrases(dict)).heldBack.filter((phrase) => phrase.split(/\s+/).length <= 6);
  const step = Math.max(1, everyday.length / everydayMax);
  const chosen = everyday.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return [...sets.flat(), ...chosen.flatMap((phrase) => look('everyday', phrase, []))];
}

/** Fits and then moves the bias to where no set has more unknown phrases that are related than its aim allows. */
function fitted(all: readonly Observed[], allowed: Allowed): Coefficients {
  const used = all.filter(({ set }) => set !== near);
  const { bias, factors } = logisticRegression(
    used.map((it) => ({ values: Object.values(it.signs), isPositive: it.isKnown, weight: weightOf(it) })),
  );
  const names = Object.keys(all[0]?.signs ?? {}) as Sign[];
  const signs = Object.fromEntries(names.map((sign, at) => [sign, Number((factors[at] ?? 0).toFixed(4))]));
  const raw = { bias, signs: signs as Coefficients['signs'] };
  const last = Math.max(
    ...phraseSets.flatMap((set) => {
      const unknown = all.filter((it) => it.set === set && !it.isKnown).map((it) => valueOf(it.signs, raw));
      return unknown.toSorted((a, b) => b - a)[allowed.get(set) ?? 0] ?? [];
    }),
  );
  return { ...raw, bias: Number((bias - last - 0.0001).toFixed(4)) };
}

function shares(own: readonly Observed[], chosen: Coefficients): string {
  const known = own.filter(({ isKnown }) => isKnown);
  const unknown = own.filter(({ isKnown }) => !isKnown);
  const isClose = ({ signs }: Observed): boolean => isRelated(signs, chosen);
  const share = (part: readonly Observed[], whole: readonly Observed[]): string =>
    whole.length === 0 ? '–' : (part.length / whole.length).toFixed(3);
  const found = known.filter(({ isFound }) => isFound);
  return `found ${share(found.filter(isClose), known)} of ${share(found, known)}, needless ${share(unknown.filter(isClose), unknown)}`;
}
