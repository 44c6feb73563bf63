import { describe, expect, it } from 'vitest';
import { witnessFigures } from './observe-witnesses.ts';

const since = Date.parse('2026-01-01T00:00:00Z');
const now = Date.parse('2026-01-01T01:00:00Z');
const heard = (cosignedAt: string | null, contradictsLog = false) => ({ cosignedAt, contradictsLog });

describe('the witnesses that are reported', () => {
  it('are none without witnesses, and nobody is silent then', () => {
    expect(witnessFigures([], since, now)).toEqual({ contradictions: 0, silentSeconds: 0 });
  });

  it('are as silent as the one that has cosigned nothing for longest', () => {
    const [soon, before] = [heard('2026-01-01T00:59:00Z'), heard('2025-12-31T23:00:00Z')];
    expect(witnessFigures([soon], since, now).silentSeconds).toBe(60);
    expect(witnessFigures([soon, before], since, now).silentSeconds).toBe(7_200);
  });

  it('are silent since they are read if they were never heard, and by no negative time', () => {
    expect(witnessFigures([heard(null)], since, now).silentSeconds).toBe(3_600);
    expect(witnessFigures([heard('2026-01-01T01:00:30Z')], since, now).silentSeconds).toBe(0);
  });

  it('are counted if they contradict the log', () => {
    const at = '2026-01-01T00:59:00Z';
    expect(witnessFigures([heard(at), heard(at, true), heard(null, true)], since, now).contradictions).toBe(2);
  });
});
