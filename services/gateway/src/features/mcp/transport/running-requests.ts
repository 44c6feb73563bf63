import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { mcpLimits } from '../limits.ts';
import { type McpCaller, identityOf } from '../mcp-caller.ts';
import type { OwnerLimiter } from '../../../concurrency/caller-limiter.ts';

/** Requests that run at this gateway, so that their senders can cancel them over any connection. */
export type RunningRequests = {
  add(sessionId: string, request: RunningRequest): () => void;
  /** Cancels a request of the same session and caller; false if it does not run here. */
  cancel(sessionId: string, caller: McpCaller, requestKey: string): boolean;
  cancelAll(sessionId: string): void;
};

type RunningRequest = { key: string; caller: McpCaller; cancel: () => void };

/** In JSON-RPC the ids 1 and "1" differ. */
export function requestKeyOf(id: RequestId): string {
  return JSON.stringify(id);
}

export function createRunningRequests(): RunningRequests {
  const bySession = new Map<string, Set<RunningRequest>>();
  return {
    add: (sessionId, request) => {
      const ofSession = bySession.get(sessionId) ?? new Set();
      bySession.set(sessionId, ofSession.add(request));
      return () => {
        ofSession.delete(request);
        if (ofSession.size === 0 && bySession.get(sessionId) === ofSession) bySession.delete(sessionId);
      };
    },
    cancel: (sessionId, caller, requestKey) => {
      const found = [...(bySession.get(sessionId) ?? [])].filter(
        (request) => request.key === requestKey && isSame(request.caller, caller),
      );
      for (const request of found) request.cancel();
      return found.length > 0;
    },
    cancelAll: (sessionId) => {
      for (const request of bySession.get(sessionId) ?? []) request.cancel();
    },
  };
}

/** The id of a session alone cancels no request. */
const isSame = (one: McpCaller, other: McpCaller): boolean =>
  JSON.stringify(identityOf(one)) === JSON.stringify(identityOf(other));

type RequestWork = {
  answered(requestKey: string): void;
  /** Ends them, after a wait if the client may reconnect. */
  clientLeft(mayReconnect: boolean): void;
  end(): void;
};

/**
 * Counts requests as running until they are answered or cancelled. @param close Ends the server that handles them. @throws DomainError
 * overloaded
 */
export function beginWork(
  { running, requestLimiter }: { running: RunningRequests; requestLimiter: OwnerLimiter },
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
    const giveBack = requestLimiter.acquire(sessionId);
    const remove = running.add(sessionId, { key, caller, cancel: () => answered(key) });
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
    clientLeft: (mayReconnect) => {
      if (open.size === 0) return;
      if (!mayReconnect) return end();
      unattended = setTimeout(end, mcpLimits.unattendedMs);
      unattended.unref();
    },
  };
}
