import { type FoundLeaf, merkleTreeIn } from '../../audit/merkle-tree/queries.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { archiveToolLimits } from './limits.ts';

/** The leaves of the log's tree, as the registry has them. */
export type VerifiedLeaves = {
  /** The leaves of the events at these positions, in their order. @throws Error if the tree does not have one of them */
  at(positions: readonly bigint[]): Promise<FoundLeaf[]>;
};

/** @param database The log record of the registry */
export function verifiedLeavesIn(database: ReadModelDatabase): VerifiedLeaves {
  const tree = merkleTreeIn(database);
  return {
    at: async (positions) => {
      const found: FoundLeaf[] = [];
      for (let from = 0; from < positions.length; from += archiveToolLimits.leavesPerQuery) {
        const some = positions.slice(from, from + archiveToolLimits.leavesPerQuery);
        const leaves = await tree.leavesAt(some);
        if (leaves.length !== some.length) {
          throw new Error(
            `the log record has ${leaves.length} of the ${some.length} events from position ${some[0]} on: wait until trust-projection has reached the end of the log`,
          );
        }
        found.push(...leaves);
      }
      return found;
    },
  };
}
