/**
 * `pnpm eval:match`: how well names and phrases are resolved against the seed taxonomy, on phrases that are in no way part of it.
 * Starts a Postgres for its own use. `--faults` lists the phrases that were not resolved well.
 *
 * Exit codes: 0 both aims are met on both sets of phrases; 1 not, or failed; 2 wrong arguments.
 */
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { measure, meetsAims } from './measures.ts';
import { phraseSets } from './phrases.ts';
import { faultLines, measureLines } from './report.ts';
import { resolvePhrases } from './run-eval.ts';
import { openTaxonomyDatabase } from './taxonomy-database.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const evaluate = async (showsFaults: boolean): Promise<boolean> => {
  const server = await startEmbeddedPostgres({ ephemeral: true, fsync: false });
  try {
    const database = await openTaxonomyDatabase(server.url);
    try {
      let met = true;
      for (const set of phraseSets) {
        const answered = await resolvePhrases(database, set);
        const measures = measure(answered);
        met &&= meetsAims(measures);
        for (const line of measureLines(set, measures)) say(line);
        for (const line of showsFaults ? faultLines(answered) : []) say(line);
      }
      say(met ? 'Both aims are met.' : 'An aim is missed.');
      return met;
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
};

const options = process.argv.slice(2);
if (options.some((option) => option !== '--faults')) {
  process.stderr.write('Usage: pnpm eval:match [--faults]\n');
  process.exitCode = 2;
} else {
  process.exitCode = (await evaluate(options.includes('--faults'))) ? 0 : 1;
}
