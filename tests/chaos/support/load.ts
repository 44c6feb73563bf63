import { setTimeout as delay } from 'node:timers/promises';
import { runs } from '@agent-trust/test-kit/runs';
import { bearer, type Member, orgKey, textMessage, unique } from '../../support/registry.ts';

/** Longer than any deadline of the gateway: a request that is still open then hangs. */
export const hangMs = 120_000;
/** Pause between a refusal and the next attempt, as a polite client makes it. */
const pauseMs = 25;
/** A client's pause between two requests. Without any, the load itself takes both cores of a small machine, and restarts take longer. */
const thinkMs = runs(40, 0);

/** How one request ended. `acknowledged` is a 2xx, read to its end; after any other outcome the request may or may not have taken effect. */
export type Attempt = {
  kind: 'register' | 'redeem' | 'call' | 'stream' | 'review' | 'verify' | 'pay';
  mark: string;
  outcome: 'acknowledged' | 'refused' | 'broken';
  status: number | null;
  code: string | null;
  body: Record<string, unknown>;
  durationMs: number;
  at: number;
};

export type LoadOptions = {
  /** One client of each kind per address, used in turn. */
  urls: readonly string[];
  orgKey: string;
  /** Callers that may review: trusted members of an organisation. */
  callers: readonly Member[];
  /** The agents to call, by their behaviour. */
  receivers: { unary: string; streaming: string };
};

export type Load = {
  readonly attempts: readonly Attempt[];
  /** Acknowledged attempts of a kind since a moment (`performance.now()`). */
  acknowledgedSince: (kind: Attempt['kind'], since: number) => number;
  /** Lets every client finish its request; returns all attempts. */
  stop: () => Promise<readonly Attempt[]>;
};

const readJson = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { unparsable: text.slice(0, 200) };
  }
};

/** Keeps clients busy: registrations with redemption, unary and streamed calls, reviews, lookups. */
export function startLoad(options: LoadOptions): Load {
  const attempts: Attempt[] = [];
  const stopping = new AbortController();
  let turn = 0;

  const send = async (
    kind: Attempt['kind'],
    mark: string,
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Attempt> => {
    const started = performance.now();
    const record = (attempt: Pick<Attempt, 'outcome' | 'status' | 'code' | 'body'>): Attempt => {
      const at = performance.now();
      const whole = { kind, mark, ...attempt, durationMs: at - started, at };
      attempts.push(whole);
      return whole;
    };
    const url = new URL(path, options.urls[(turn += 1) % options.urls.length]);
    let status: number | null = null;
    try {
      const response = await fetch(url, {
        method: init.method ?? 'POST',
        headers: { ...(init.body === undefined ? {} : { 'content-type': 'application/json' }), ...init.headers },
        ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
        signal: AbortSignal.timeout(hangMs),
      });
      status = response.status;
      const text = await response.text();
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const body = isStream
        ? { events: text, transaction_id: response.headers.get('x-registry-transaction-id') }
        : readJson(text);
      // A stream that has begun can say so only at its end.
      const isUnrecorded = isStream && text.includes(': the end of the exchange could not be put on record');
      const code = isUnrecorded ? 'unavailable' : typeof body['code'] === 'string' ? body['code'] : null;
      return record({ outcome: response.ok && !isUnrecorded ? 'acknowledged' : 'refused', status, code, body });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return record({ outcome: 'broken', status, code: String(cause), body: {} });
    }
  };

  const callWith = (caller: Member, receiver: string, message: unknown): Parameters<typeof send>[3] => ({
    headers: bearer(caller.key),
    body: { caller_agent_id: caller.agentId, agent_id: receiver, message },
  });

  const steps: (() => Promise<Attempt>)[] = [
    async () => {
      const agentId = unique('chaos-agent');
      const fields = { agent_id: agentId, capabilities: ['ocr'] };
      const registered = await send('register', agentId, '/register', {
        headers: orgKey(options.orgKey),
        body: fields,
      });
      if (registered.outcome !== 'acknowledged') return registered;
      const link = new URL(String(registered.body['claim_link']));
      return send('redeem', agentId, `${link.pathname}${link.search}`, { method: 'GET' });
    },
    async () => send('verify', options.receivers.unary, '/verify', { body: { agent_id: options.receivers.unary } }),
    ...options.callers.flatMap((caller) => [
      async () => {
        const mark = unique('call');
        const called = await send('call', mark, '/call', callWith(caller, options.receivers.unary, textMessage(mark)));
        if (called.outcome !== 'acknowledged') return called;
        return send('review', String(called.body['transaction_id']), '/review', {
          headers: bearer(caller.key),
          body: {
            caller_agent_id: caller.agentId,
            receiver_agent_id: options.receivers.unary,
            transaction_id: called.body['transaction_id'],
            success: true,
            score: 8,
          },
        });
      },
      async () => {
        const mark = unique('stream');
        const message = textMessage(mark, 'message/stream');
        return send('stream', mark, '/call', callWith(caller, options.receivers.streaming, message));
      },
    ]),
  ];

  const clients = steps.map(async (step) => {
    while (!stopping.signal.aborted) {
      const { outcome } = await step();
      await delay(outcome === 'acknowledged' ? thinkMs : pauseMs);
    }
  });

  return {
    attempts,
    acknowledgedSince: (kind, since) =>
      attempts.filter((attempt) => attempt.kind === kind && attempt.outcome === 'acknowledged' && attempt.at > since)
        .length,
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
      return attempts;
    },
  };
}

/** A summary of the attempts by kind and outcome, printed if CHAOS_FIGURES is set. */
export function figures(attempts: readonly Attempt[]): string {
  const counts = new Map<string, { count: number; longestMs: number }>();
  for (const { kind, outcome, status, code, durationMs } of attempts) {
    const key = `${kind} ${outcome} ${status ?? ''} ${outcome === 'acknowledged' ? '' : code}`;
    const { count, longestMs } = counts.get(key) ?? { count: 0, longestMs: 0 };
    counts.set(key, { count: count + 1, longestMs: Math.max(longestMs, durationMs) });
  }
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([key, { count, longestMs }]) => `${String(count).padStart(7)} ${key} (longest ${Math.round(longestMs)} ms)\n`)
    .join('');
}
