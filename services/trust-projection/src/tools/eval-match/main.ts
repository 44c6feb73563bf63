/** `npm run eval:match`: how well phrases outside of the seed taxonomy are resolved against it, in a Postgres of its own. */
import { runCommand, say } from '@agent-trust/command-line';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { faultLines, measure, measureLines, meetsAims } from './measures.ts';
import { aimsOfSets, phraseSets, resolvePhrases } from './phrases.ts';
import { openTaxonomyDatabase } from './taxonomy-database.ts';

await runCommand({
  usage: `Usage: npm run eval:match -- [--faults]

  --faults   list the phrases that were not resolved well

Exit codes: 0 every set of phrases meets its aims; 1 not, or failed; 2 wrong arguments.`,
  options: { faults: { type: 'boolean' } },
  run: async ({ faults = false }) => {
    await using resources = new AsyncDisposableStack();
    const server = resources.adopt(await startEmbeddedPostgres({ ephemeral: true, fsync: false }), (it) => it.stop());
    const database = resources.adopt(await openTaxonomyDatabase(server.url), (it) => it.close());
    let met = true;
    for (const set of phraseSets) {
      const answered = await resolvePhrases(database, set);
      const measures = measure(answered);
      const aims = aimsOfSets[set];
      met &&= meetsAims(measures, aims);
      for (const line of [...measureLines(set, measures, aims), ...(faults ? faultLines(answered) : [])]) say(line);
    }
    say(met ? 'All aims are met.' : 'An aim is missed.');
    return met ? 0 : 1;
  },
});
