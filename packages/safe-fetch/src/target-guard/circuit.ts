import { targetGuardLimits } from './limits.ts';

export type CircuitOptions = {
  /** Callers that must have met the failures before the circuit opens. */
  callersMin: number;
  failuresToOpen?: number;
  probePauseMs?: { first: number; longest: number };
};

export type CircuitPass = {
  /** The target answered: its failures are forgotten. Returns whether the circuit was open. */
  answered(): boolean;
  /** The target failed. Returns whether that opened the circuit. */
  failed(now: number, caller: string): boolean;
  /** The request ended without a result about the target: if it was the probe, the next request becomes the probe. */
  unsettled(now: number): void;
};

export type Circuit = {
  waitMs(now: number): number;
  isOpen(): boolean;
  /** Admits a request; while the circuit is open, as the probe. Call it only if `waitMs` is 0. */
  enter(now: number): CircuitPass;
};

type State =
  | { kind: 'closed'; failures: number; callers: ReadonlySet<string> }
  /** `probe` is the probe under way, if there is one: the circuit is half open then. */
  | { kind: 'open'; tryAt: number; pauseMs: number; probe: object | null };

const closed: State = { kind: 'closed', failures: 0, callers: new Set() };

/**
 * Opens after a number of failures in a row, then admits one probe after each pause; any answer closes it. The pause doubles when a probe is sent, not
 * when it fails: a probe that hangs delays nobody for longer than the pause, and at most a few of them hang at one time.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { callersMin, failuresToOpen = targetGuardLimits.failuresToOpen } = options;
  const { first, longest } = options.probePauseMs ?? targetGuardLimits.probePauseMs;
  let state: State = closed;

  const pass = (id: object): CircuitPass => ({
    answered: () => {
      const wasOpen = state.kind === 'open';
      state = closed;
      return wasOpen;
    },
    failed: (now, caller) => {
      if (state.kind === 'open') {
        if (state.probe === id) state = { ...state, probe: null };
        return false;
      }
      const callers = new Set(state.callers);
      if (callers.size < callersMin) callers.add(caller);
      const failures = state.failures + 1;
      if (failures < failuresToOpen || callers.size < callersMin) {
        state = { kind: 'closed', failures, callers };
        return false;
      }
      state = { kind: 'open', tryAt: now + first, pauseMs: first, probe: null };
      return true;
    },
    unsettled: (now) => {
      if (state.kind !== 'open' || state.probe !== id) return;
      state = { ...state, tryAt: now, pauseMs: Math.max(first, state.pauseMs / 2), probe: null };
    },
  });

  return {
    waitMs: (now) => (state.kind === 'open' ? Math.max(0, state.tryAt - now) : 0),
    isOpen: () => state.kind === 'open',
    enter: (now) => {
      const id = {};
      if (state.kind === 'open') {
        const pauseMs = Math.min(state.pauseMs * 2, longest);
        state = { kind: 'open', tryAt: now + pauseMs, pauseMs, probe: id };
      }
      return pass(id);
    },
  };
}
