import { resolveCapabilities } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import type { QueryContext } from './context.ts';

/** What names mean to the taxonomy. */
export async function serveCapabilities({ rpc, queries }: QueryContext): Promise<void> {
  await rpc.serve(
    resolveCapabilities,
    async ({ universe, names }, { signal }) => ({
      resolutions: await queries.resolveCapabilities(universe, names, signal),
    }),
    { concurrentMax: queryLimits.searchesConcurrentMax },
  );
}
