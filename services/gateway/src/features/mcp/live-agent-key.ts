import { authenticateAgentKey } from '@agent-trust/contracts';
import { sha256Hex } from '../../credentials/hash.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';
import type { McpCaller } from './mcp-caller.ts';

/** Whether a key is some agent's at this moment. Rejects with an RpcError where that cannot be told. */
export async function isLiveAgentKey(gateway: Gateway, caller: McpCaller, key: string): Promise<boolean> {
  const { agent } = await gateway.rpc.request(
    authenticateAgentKey,
    { keyHash: sha256Hex(key) },
    {
      correlationId: caller.requestId,
      traceparent: caller.headers['traceparent'],
      timeoutMs: edgeLimits.queryTimeoutMs,
    },
  );
  return agent !== null;
}
