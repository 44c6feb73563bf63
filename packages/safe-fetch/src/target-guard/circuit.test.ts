/**
 * Bugs: a single caller can keep a circuit open; it stays open after the target has recovered, admits many requests as probes, or waits forever
 * for a probe whose caller has left.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Circuit, createCircuit } from './circuit.ts';

const options = { callersMin: 1, failuresToOpen: 3, probePauseMs: { first: 100, longest: 400 } };
const fail = (circuit: Circuit, times: number, now = 0, caller = 'a'): boolean[] =>
  Array.from({ length: times }, () => circuit.enter(now).failed(now, caller));

describe('a circuit', () => {
  it('opens at the configured number of consecutive failures, and not before', () => {
    const circuit = createCircuit(options);
    expect(fail(circuit, 2)).toEqual([false, false]);
    expect(circuit.waitMs(0)).toBe(0);
    expect(fail(circuit, 1)).toEqual([true]);
    expect(circuit.waitMs(0)).toBe(100);
    expect(circuit.waitMs(40)).toBe(60);
  });

  it('restarts the count after every answer', () => {
    const circuit = createCircuit(options);
    fail(circuit, 2);
    expect(circuit.enter(0).answered()).toBe(false);
    fail(circuit, 2);
    expect(circuit.waitMs(0)).toBe(0);
  });

  it('admits one probe after each pause, and the pauses double up to the longest', () => {
    const circuit = createCircuit(options);
    fail(circuit, 3);
    let now = 0;
    for (const pauseMs of [100, 200, 400, 400]) {
      expect(circuit.waitMs(now)).toBe(pauseMs);
      now += pauseMs;
      expect(circuit.waitMs(now)).toBe(0);
      circuit.enter(now).failed(now, 'a');
      expect(circuit.waitMs(now)).toBeGreaterThan(0);
    }
  });

  it('closes at the first answer, of the probe or of an earlier request', () => {
    for (const which of ['probe', 'early']) {
      const circuit = createCircuit(options);
      const early = circuit.enter(0);
      fail(circuit, 3);
      const answering = which === 'probe' ? circuit.enter(100) : early;
      expect(answering.answered()).toBe(true);
      expect(circuit.waitMs(100)).toBe(0);
      expect(fail(circuit, 2, 100)).toEqual([false, false]);
    }
  });

  it('does not count failures of requests that were sent before it opened', () => {
    const circuit = createCircuit(options);
    const early = Array.from({ length: 50 }, () => circuit.enter(0));
    expect(early.map((pass) => pass.failed(10, 'a')).filter(Boolean)).toHaveLength(1);
    expect(circuit.waitMs(10)).toBe(100);
  });

  it('waits for no probe: one whose caller left is replaced at once, one that hangs after the pause', () => {
    const circuit = createCircuit(options);
    fail(circuit, 3);
    circuit.enter(100).unsettled(110);
    expect(circuit.waitMs(110)).toBe(0);
    const hanging = circuit.enter(110);
    expect(circuit.waitMs(110)).toBe(200);
    const second = circuit.enter(310);
    // The hanging one is no longer the probe: its end does not affect the second.
    hanging.unsettled(320);
    expect(circuit.waitMs(320)).toBe(390);
    second.answered();
    expect(circuit.waitMs(320)).toBe(0);
  });

  it('is not opened by one caller if it requires two', () => {
    const circuit = createCircuit({ ...options, callersMin: 2 });
    expect(fail(circuit, 100, 0, 'a')).not.toContain(true);
    expect(fail(circuit, 1, 0, 'b')).toEqual([true]);
  });

  it('is never open for longer than the longest pause, and never without a reason, in any sequence', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 500 }),
      outcome: fc.constantFrom('answered', 'failed', 'unsettled', 'hangs'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const circuit = createCircuit(options);
        let now = 0;
        let failuresInARow = 0;
        for (const { waitMs, outcome } of steps) {
          now += waitMs;
          const wait = circuit.waitMs(now);
          expect(wait).toBeLessThanOrEqual(options.probePauseMs.longest);
          expect(wait === 0 || failuresInARow >= options.failuresToOpen).toBe(true);
          if (wait > 0) continue;
          const pass = circuit.enter(now);
          if (outcome === 'answered') {
            pass.answered();
            failuresInARow = 0;
          } else if (outcome === 'failed') {
            pass.failed(now, 'a');
            failuresInARow += 1;
          } else if (outcome === 'unsettled') pass.unsettled(now);
        }
      }),
      { numRuns: 300, seed: 20_260_102 },
    );
  });
});
