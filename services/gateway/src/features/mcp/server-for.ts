import { authenticateAgentKey, DomainError } from '@agent-trust/contracts';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { sha256Hex } from '../../credentials/keys.ts';
import { createInvokeRoute } from './invoke-route.ts';
import { mcpLimits } from './limits.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpCore } from './mcp-core.ts';
import { openSetKey, sealSetKey, type SessionRecord } from './sessions/session-record.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';

/** The server for the messages of one request. It acts with the credentials of that request's headers, or with the key set under them. */
export function serverFor(core: McpCore, sessionId: string, caller: McpCaller, record: SessionRecord | null): Server {
  const { gateway } = core;
  let key = record === null ? null : openSetKey(core.keys, sessionId, caller, record);
  return core.createServer({
    baseUrl: gateway.baseUrl,
    requestId: caller.requestId,
    logger: gateway.logger,
    isLiveAgentKey: (candidate) => isLiveAgentKey(gateway, caller, candidate),
    invoke: createInvokeRoute(core.app, caller, () => key),
    setAgentKey: async (next) => {
      if (next !== null && !isHeaderValue(next)) {
        throw new DomainError('validation_failed', 'a key is printable ASCII without spaces', {
          items: [{ loc: ['body', 'agent_key'], msg: 'must be a key of this registry', type: 'value_error' }],
        });
      }
      const sealed = next === null ? null : sealSetKey(core.keys, sessionId, caller, next);
      if (!(await core.sessions.setKey(sessionId, sealed))) {
        throw new DomainError('unavailable', 'the session has ended meanwhile; initialize again');
      }
      key = next;
    },
  });
}

const isHeaderValue = (key: string): boolean => key.length <= mcpLimits.setKeyCharsMax && /^[\x21-\x7e]+$/u.test(key);

/** Whether a key is valid for some agent now. Rejects with an RpcError if that cannot be known. */
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
