import { inTransaction } from '@agent-trust/projections';
import type pg from 'pg';
import { readModelSchema } from '../../shared/database.ts';

/** Rolls back what was read from two builds. */
class ReadModelsExchanged extends Error {}

/**
 * Runs the work in a transaction whose reads are of one moment and of one build of the read models. A replay that ends meanwhile gives their
 * name to a build whose last rows are younger than that moment: a webhook or a change that stands in both builds would look as if it were
 * gone. Answers null then, and nothing was written.
 */
export async function inOneBuild<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result | null> {
  const build = async (): Promise<string | null> => {
    // Answered from the catalog as it is now, whatever moment the transaction reads as of.
    const { rows } = await client.query<{ schema: string | null }>({
      name: 'read-models-build',
      text: 'SELECT to_regnamespace($1)::oid::text AS schema',
      values: [readModelSchema],
    });
    return rows[0]?.schema ?? null;
  };
  try {
    return await inTransaction(
      client,
      async () => {
        const before = await build();
        const result = await work();
        if ((await build()) !== before) throw new ReadModelsExchanged('the read models were exchanged');
        return result;
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
  } catch (error) {
    if (error instanceof ReadModelsExchanged) return null;
    throw error;
  }
}
