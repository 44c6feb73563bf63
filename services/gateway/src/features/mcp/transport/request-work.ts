import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { mcpLimits } from '../limits.ts';
import type { McpCaller } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import { requestKeyOf } from './running-requests.ts';

/** The requests of one body while they are worked on. */
type RequestWork = {
  /** One of them has its answer. */
  answered(requestKey: string): void;
  /** Ends what nobody can be answered any more; a client that may come back is waited for. */
  clientLeft(mayComeBack: boolean): void;
  end(): void;
};

/**
 * Takes the places of requests, by which they are known to run until they have their answers or are cancelled.
 *
 * @param close Ends the server that works on them, and with it what still runs.
 * @throws DomainError overloaded
 */
export function beginWork(
  core: McpCore,
  {
    sessionId,
    caller,
    requests,
    close,
  }: { sessionId: string; caller: McpCaller; requests: readonly JSONRPCRequest[]; close: () => void },
): RequestWork {
  const open = new Map<string, () => void>();
  let unattended: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(unattended);
    for (const leave of open.values()) leave();
    open.clear();
    close();
  };
  const answered = (requestKey: string): void => {
    open.get(requestKey)?.();
    open.delete(requestKey);
    if (open.size === 0) end();
  };
  const take = (key: string): (() => void) => {
    const giveBack = core.requestLimiter.acquire(sessionId);
    const remove = core.running.add(sessionId, { key, caller, cancel: () => answered(key) });
    return () => {
      giveBack();
      remove();
    };
  };
  try {
    for (const { id } of requests) {
      const key = requestKeyOf(id);
      const leave = take(key);
      // Of two requests with one id only the second can be answered.
      open.get(key)?.();
      open.set(key, leave);
    }
  } catch (error) {
    end();
    throw error;
  }
  return {
    answered,
    end,
    clientLeft: (mayComeBack) => {
      if (open.size === 0) return;
      if (!mayComeBack) return end();
      unattended = setTimeout(end, mcpLimits.unattendedMs);
      unattended.unref();
    },
  };
}
