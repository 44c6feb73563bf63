import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { httpTo } from '../support/registry.ts';

const catchUpTimeoutMs = 10 * 60_000;

/** Resolves when the read models have everything up to a position of the log. */
export async function untilProjected(stack: Pick<Stack, 'url'>, position: bigint): Promise<void> {
  const http = httpTo(stack.url);
  await waitFor(
    async () => {
      const { body } = await http.get('/health');
      const projection = body['projection'] as { position: string | null };
      return BigInt(projection.position ?? '-1') >= position;
    },
    { timeoutMs: catchUpTimeoutMs, intervalMs: 100, description: `the projection at position ${position}` },
  );
}
