import { type LoggedEvent, type LogQuery, type RegistryClient, RegistryError } from '@agent-trust/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient, useSession } from './use-session.ts';

/** Of one event that any reader of the stream gets: an organisation's has fewer fields than an operator's. */
export type LiveEvent = Pick<LoggedEvent, 'position' | 'type'> & Partial<LoggedEvent>;

/** `off`: nobody follows, or the stream is not open yet. `waiting`: the stream broke, and is opened again. */
export type LiveState = 'off' | 'following' | 'waiting';

export type LiveOptions = {
  /** Filters of the whole log, for an operator; an organisation follows one own agent. */
  query?: Pick<LogQuery, 'type' | 'agent_id' | 'org' | 'operator' | 'correlation_id' | 'transaction_id' | 'after'>;
  enabled?: boolean;
};

/** Between a stream that ended for good and the next attempt. */
const againMs = 5_000;

/**
 * Calls `onEvent` with each new event, from now on or after the position `after`. The client resumes a stream that broke, with none lost and none
 * twice; where it gives up, it is opened again after the last event that came. Needs an operator's key, or an organisation's for its own agent.
 */
export function useLive(onEvent: (event: LiveEvent) => void, { query = {}, enabled = true }: LiveOptions): LiveState {
  const client = useClient();
  const { operator, organisation, sandbox, universe } = useSession();
  const owner = universe === 'sandbox' ? sandbox : organisation;
  const follows = enabled && (operator !== null || (owner !== null && query.agent_id !== undefined));
  const [state, setState] = useState<LiveState>('off');
  const tell = useEffectEvent(onEvent);
  const asked = JSON.stringify(query);
  const isOperator = operator !== null;

  useEffect(() => {
    setState('off');
    if (!follows) return;
    const stop = new AbortController();
    void followUntilStopped(client, JSON.parse(asked) as NonNullable<LiveOptions['query']>, isOperator, stop.signal, {
      onEvent: (event) => tell(event),
      onState: setState,
    });
    return () => stop.abort();
  }, [client, follows, asked, isOperator]);
  return state;
}

type Listener = { onEvent: (event: LiveEvent) => void; onState: (state: LiveState) => void };

/** Follows until the signal aborts, across streams that end for good. */
export async function followUntilStopped(
  client: Pick<RegistryClient, 'ops' | 'org'>,
  query: NonNullable<LiveOptions['query']>,
  isOperator: boolean,
  signal: AbortSignal,
  { onEvent, onState }: Listener,
  waitMs: number = againMs,
): Promise<void> {
  let after = query.after;
  const onStream = (stream: 'open' | 'broken'): void => onState(stream === 'open' ? 'following' : 'waiting');
  while (!signal.aborted) {
    try {
      const asked = { ...query, ...(after === undefined ? {} : { after }) };
      const { agent_id: agentId, org: _org, operator: _operator, ...ofAgent } = asked;
      const events: AsyncIterable<LiveEvent> = isOperator
        ? client.ops.followEvents(asked, { signal, onState: onStream })
        : client.org.followAgentEvents(agentId ?? '', ofAgent, { signal, onState: onStream });
      for await (const event of events) {
        after = event.position;
        onEvent(event);
      }
    } catch (error) {
      // Another attempt would be refused as well.
      if (error instanceof RegistryError && error.status < 500 && error.status !== 429) {
        if (!signal.aborted) onState('off');
        return;
      }
      // Broken for longer than the client tries: shown as such, and tried again.
    }
    if (signal.aborted) return;
    onState('waiting');
    await pause(waitMs, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
