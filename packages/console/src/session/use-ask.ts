import { RegistryError, type RegistryClient } from '@agent-trust/client';
import {
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient, useSession } from './use-session.ts';

export type AskOptions<Answer> = {
  /** False: does not ask yet. */
  enabled?: boolean;
  /** Asks again after this time, while the tab is visible; for what runs, as long as its last answer says so. Never for what is not there. */
  everyMs?: number | undefined | ((answer: Answer | undefined) => number | undefined);
  /** Shows the former answer while another question of the same shape is asked: for sliders and pages of a list. */
  keepsFormer?: boolean;
};

/**
 * Asks the registry, with the tab's credentials, and keeps the answer under its key. Another session never sees it.
 *
 * @param key What is asked, for example `['agent', agentId, asOf]`.
 */
export function useAsk<Answer>(
  key: QueryKey,
  ask: (client: RegistryClient, signal: AbortSignal) => Promise<Answer>,
  { enabled = true, everyMs, keepsFormer = false }: AskOptions<Answer> = {},
): UseQueryResult<Answer> {
  const client = useClient();
  const { epoch } = useSession();
  return useQuery<Answer>({
    queryKey: [epoch, ...key],
    queryFn: ({ signal }) => ask(client, signal),
    enabled,
    refetchInterval: ({ state: { data, error } }) => {
      // Asking again would replace the refusal by 'Loading' for a while.
      if (data === undefined && isNotFound(error)) return false;
      return (typeof everyMs === 'function' ? everyMs(data) : everyMs) ?? false;
    },
    // Never an answer to other credentials.
    ...(keepsFormer
      ? { placeholderData: (former, query) => (query?.queryKey[0] === epoch ? (former as never) : undefined) }
      : {}),
  });
}

/** Asks again for everything whose key begins like this, for example `['agent', agentId]`. */
export function useAskAgain(): (key: QueryKey) => void {
  const queries = useQueryClient();
  const { epoch } = useSession();
  return (key) => void queries.invalidateQueries({ queryKey: [epoch, ...key] });
}

/** Between two questions because of events, however fast they come. */
const soonMs = 1_000;

/** Asks again soon, once for many events; after a question that is under way, whose answer may come without the last of them. */
export function useAskAgainSoon(key: QueryKey): () => void {
  const queries = useQueryClient();
  const { epoch } = useSession();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [epoch, JSON.stringify(key)],
  );
  const askAgain = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const asked = { queryKey: [epoch, ...key] };
      if (queries.isFetching(asked) > 0) askAgain();
      else void queries.invalidateQueries(asked);
    }, soonMs);
  };
  return askAgain;
}

/**
 * A write, with the tab's credentials. It is sent once, however often it is asked for until it is answered: a button shows that it is disabled only when the
 * page is drawn again, and the second click of a double one comes before.
 *
 * @param changes Keys of answers that it changes, which are then asked for again.
 */
export function useChange<Input, Answer>(
  change: (client: RegistryClient, input: Input) => Promise<Answer>,
  changes: readonly QueryKey[] = [],
): UseMutationResult<Answer, Error, Input> {
  const client = useClient();
  const askAgain = useAskAgain();
  const isSent = useRef(false);
  const mutation = useMutation<Answer, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSuccess: () => {
      for (const key of changes) askAgain(key);
    },
    onSettled: () => {
      isSent.current = false;
    },
  });
  const mutate: typeof mutation.mutate = (...asked) => {
    if (isSent.current) return;
    isSent.current = true;
    mutation.mutate(...asked);
  };
  return { ...mutation, mutate };
}

/** Whether an answer is that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof RegistryError && error.status === 404;
}
