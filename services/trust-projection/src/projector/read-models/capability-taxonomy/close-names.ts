import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { RankedCandidate } from './closeness.ts';
import { type EmbeddingRanking, learnedLabelsLike, readSeed } from './queries.ts';
import { SeedIndex } from './seed-index.ts';

/** A name to rank for; `universe` is whose learned names may be offered, beside those of production. */
export type CloseNamesQuestion = { name: string; universe: string; embedding: EmbeddingRanking };

/** The capabilities that a name is close to, best first, at most `capabilityCandidatesMax`; none if it is close to nothing. */
export type RankCandidates = (question: CloseNamesQuestion) => Promise<RankedCandidate[]>;

/** How often a question is asked anew because the taxonomy has changed meanwhile; then the answer of the moment before has to do. */
const attemptsMax = 3;

/**
 * Ranks names: the seed taxonomy in memory, what agents have brought by one look at the database. That look also says whether the seed in
 * memory is still the one of the tables; after a change it is read again first.
 */
export function closeNames(database: ReadModelDatabase): RankCandidates {
  let held: Promise<{ state: string; index: SeedIndex }> | null = null;
  const read = async (): Promise<{ state: string; index: SeedIndex }> => {
    const { state, capabilities } = await readSeed(database);
    return { state, index: new SeedIndex(capabilities) };
  };
  const seed = async (): Promise<{ state: string; index: SeedIndex }> => {
    held ??= read();
    try {
      return await held;
    } catch (error) {
      held = null;
      throw error;
    }
  };
  return async ({ name, universe, embedding }) => {
    const byMeaning = new Map(embedding.map((candidate) => [candidate.name, candidate.similarity]));
    for (let attempt = 1; ; attempt += 1) {
      const { state, index } = await seed();
      const used = held;
      const asked = index.ask(name);
      const { seedState, labels } = await learnedLabelsLike(database, { name, universe, heavyWords: asked.heavyWords });
      if (seedState === state || attempt === attemptsMax) return index.rank(asked, labels, byMeaning);
      // Unless another question has had it read again already.
      if (held === used) held = null;
    }
  };
}
