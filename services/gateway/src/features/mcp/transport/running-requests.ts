import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { type McpCaller, identityOf } from '../mcp-caller.ts';

/** Requests that this gateway works on, so that who sent one can take it back, over whichever connection. */
export type RunningRequests = {
  add(sessionId: string, request: RunningRequest): () => void;
  /** Cancels a request of the same session and caller; false where it does not run here. */
  cancel(sessionId: string, caller: McpCaller, requestKey: string): boolean;
  /** Cancels all of a session. */
  cancelAll(sessionId: string): void;
};

type RunningRequest = { key: string; caller: McpCaller; cancel: () => void };

/** JSON-RPC tells 1 from "1". */
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

/** A session's id alone takes nobody's request back. */
const isSame = (one: McpCaller, other: McpCaller): boolean =>
  JSON.stringify(identityOf(one)) === JSON.stringify(identityOf(other));
