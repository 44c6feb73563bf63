import { RegistryError, type RegistryClient } from '@agent-trust/client';
import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useClient, useSession } from './use-session.ts';

export type AskOptions = {
  /** False: does not ask yet. */
  enabled?: boolean;
  /** Asks again after this time, while the tab is visible. */
  everyMs?: number | undefined;
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
  { enabled = true, everyMs, keepsFormer = false }: AskOptions = {},
): UseQueryResult<Answer> {
  const client = useClient();
  const { epoch } = useSession();
  return useQuery<Answer>({
    queryKey: [epoch, ...key],
    queryFn: ({ signal }) => ask(client, signal),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsFormer ? { placeholderData: keepPreviousData as never } : {}),
  });
}

/** Asks again for everything whose key begins like this, for example `['agent', agentId]`. */
export function useAskAgain(): (key: QueryKey) => void {
  const queries = useQueryClient();
  const { epoch } = useSession();
  return (key) => void queries.invalidateQueries({ queryKey: [epoch, ...key] });
}

/**
 * A write, with the tab's credentials.
 *
 * @param changes Keys of answers that it changes, which are then asked for again.
 */
export function useChange<Input, Answer>(
  change: (client: RegistryClient, input: Input) => Promise<Answer>,
  changes: readonly QueryKey[] = [],
): UseMutationResult<Answer, Error, Input> {
  const client = useClient();
  const askAgain = useAskAgain();
  return useMutation<Answer, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSuccess: () => {
      for (const key of changes) askAgain(key);
    },
  });
}

/** Whether an answer is that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof RegistryError && error.status === 404;
}
