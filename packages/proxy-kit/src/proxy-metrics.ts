import { counter, histogram, observe, secondsSince } from '@agent-trust/metrics';
import { RpcCancelledError, RpcRefusal, RpcRefusedError } from '@agent-trust/nats-rpc';
import { OutboundError, type SafeFetch, type TargetGuard } from '@agent-trust/safe-fetch';
import { failureReason, toRefusal } from './failures.ts';

/** What a proxy carries. */
export type Carried = 'calls' | 'payments';

const active = { calls: 'registry.calls.active', payments: 'registry.payments.active' } as const;
const limit = { calls: 'registry.calls.limit', payments: 'registry.payments.limit' } as const;
const circuitChanges = counter('registry.circuits.changes');
const answers = histogram('registry.agent.answer.duration');

/** Counts a circuit that opened or closed. */
export function countCircuitChange(change: 'opened' | 'closed'): void {
  circuitChanges.with({ 'registry.change': change }).add();
}

/** Reports what is under way, and which agents are not contacted. Returns a function that ends that. */
export function observeCarried(carried: Carried, guard: TargetGuard, requestsMax: number): () => void {
  return observe((report) => {
    report(active[carried], guard.running());
    report(limit[carried], requestsMax);
    report('registry.circuits.open', guard.openCircuits());
  });
}

/** The same client, which measures how long agents take to answer. */
export function measuredFetch(safeFetch: SafeFetch): SafeFetch {
  const measured = async (...request: Parameters<SafeFetch>): ReturnType<SafeFetch> => {
    const startedAt = performance.now();
    const end = (reason?: string): void => answers.with({ 'error.type': reason }).record(secondsSince(startedAt));
    try {
      const response = await safeFetch(...request);
      end();
      return response;
    } catch (error) {
      end(error instanceof OutboundError ? failureReason(error) : 'error');
      throw error;
    }
  };
  return Object.assign(measured, { close: () => safeFetch.close() });
}

/** Does the work of one request, and counts it by the code of its error if it fails. */
export async function countingRefusals<Result>(carried: Carried, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    refusals[carried]()
      .with({ 'error.type': codeOf(error) })
      .add();
    throw error;
  }
}

// Made when it is first needed: a call-proxy has no metric of payments.
const refusals = {
  calls: () => counter('registry.calls.refused'),
  payments: () => counter('registry.payments.refused'),
};

const codeOf = (error: unknown): string => {
  if (error instanceof RpcRefusal || error instanceof RpcRefusedError) return error.code;
  if (error instanceof RpcCancelledError) return 'cancelled';
  return toRefusal(error)?.code ?? 'internal';
};
