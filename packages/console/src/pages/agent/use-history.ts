import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { type ChangesWindow, readChanges, readChangesUntil } from './changes-window.ts';

/** A part of the score's history. @param end how many changes come before its end; null for the newest */
export function useHistory(agentId: string, end: number | null, everyMs: number): UseQueryResult<ChangesWindow> {
  const known = useRef(0);
  return useAsk(
    ['agent', agentId, 'history', end],
    async (client, signal) => {
      const read = await readChanges((part) => client.trustHistory(agentId, part, { signal }), end, known.current);
      known.current = read.total;
      return read;
    },
    { everyMs, keepsFormer: true },
  );
}

/**
 * The same as of a moment, which needs requests of its own only where that lies in another part.
 *
 * @param most How many changes there are up to now.
 */
export function useHistoryUntil(
  agentId: string,
  asOf: string | undefined,
  end: number | null,
  { most = 0, enabled }: { most: number | undefined; enabled: boolean },
): UseQueryResult<ChangesWindow> {
  return useAsk(
    ['agent', agentId, 'history until', asOf, end],
    (client, signal) =>
      readChangesUntil((part) => client.trustHistory(agentId, part, { signal }), asOf ?? '', end, most),
    { enabled, keepsFormer: true },
  );
}
