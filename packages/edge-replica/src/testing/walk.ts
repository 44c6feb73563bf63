import { stepsOf } from './steps.ts';
import { type Bounds, type Code, firstWorld } from './world.ts';

/** Takes one step after the other, each chosen by the next of `choices` (whole numbers, not negative). @returns what went wrong, and the path to it */
export function walk(bounds: Bounds, code: Code, choices: Iterable<number>): { wrong: string; path: string[] } | null {
  const world = firstWorld(code, bounds);
  const path: string[] = [];
  for (const choice of choices) {
    const steps = stepsOf(world, bounds, code);
    const step = steps[choice % Math.max(1, steps.length)];
    if (step === undefined) return null;
    path.push(step.what);
    const wrong = step.take(world);
    if (typeof wrong === 'string') return { wrong, path };
  }
  return null;
}

/** Whole numbers that depend only on the seed (xorshift32). */
export function* randomChoices(seed: number, count: number): Generator<number> {
  let state = (seed + 1) * 2_654_435_761;
  for (let index = 0; index < count; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** Walks until something goes wrong. */
export function walkManyTimes(
  bounds: Bounds,
  code: Code,
  times: number,
  stepsMax: number,
): { wrong: string; path: string[]; times: number } | null {
  for (let seed = 1; seed <= times; seed += 1) {
    const found = walk(bounds, code, randomChoices(seed, stepsMax));
    if (found !== null) return { ...found, times: seed };
  }
  return null;
}
