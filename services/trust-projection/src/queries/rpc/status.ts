import { getStatus, waitForPosition } from '@agent-trust/contracts';
import type { z } from 'zod';
import { registryStatus } from '../registry-status.ts';
import type { QueryContext } from './context.ts';

/** How the read model stands, and the wait for it. */
export async function serveStatus(context: QueryContext): Promise<void> {
  const { rpc, watcher, reach } = context;
  await rpc.serve(getStatus, async (): Promise<z.output<typeof getStatus.output>> => registryStatus(context));
  await rpc.serve(waitForPosition, async ({ position, timeoutMs }, call) => {
    await reach(position, call, timeoutMs);
    return { position: String(watcher.current() ?? position) };
  });
}
