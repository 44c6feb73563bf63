import { hash } from 'node:crypto';
import { copy, textOf } from './copy.ts';
import { type Step, stepsOf } from './steps.ts';
import { type Bounds, type Code, firstWorld, type World } from './world.ts';

export type Exploration = {
  states: number;
  steps: number;
  /** What was wrong, and how it came about; null if nothing was. */
  violation: { wrong: string; path: string[] } | null;
  /** Whether it was stopped before everything was seen. */
  isCut: boolean;
  /** Kinds of steps that were taken, without their numbers. */
  kinds: ReadonlySet<string>;
};

type Frame = { world: World; steps: Step[]; next: number; what: string };

/** A mutant may go on for ever. */
const depthMax = 120;

/** Tries every order of everything that may happen in a world, depth first. */
export function explore(bounds: Bounds, code: Code, statesMax = Number.POSITIVE_INFINITY): Exploration {
  const seen = new Set<string>();
  const kinds = new Set<string>();
  let steps = 0;
  const frameOf = (world: World, what: string): Frame => ({
    world,
    steps: stepsOf(world, bounds, code),
    next: 0,
    what,
  });
  const first = firstWorld(code, bounds);
  seen.add(keyOf(first));
  const stack: Frame[] = [frameOf(first, '')];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const step = top.steps[top.next];
    top.next += 1;
    if (step === undefined) {
      stack.pop();
      continue;
    }
    steps += 1;
    kinds.add(step.what.replaceAll(/[\d.]+/gu, '#'));
    if (stack.length > depthMax) continue;
    const world = copy(top.world);
    const wrong = step.take(world);
    if (typeof wrong === 'string') {
      const path = [...stack.slice(1).map(({ what }) => what), step.what];
      return { states: seen.size, steps, violation: { wrong, path }, isCut: false, kinds };
    }
    const key = keyOf(world);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > statesMax) return { states: seen.size, steps, violation: null, isCut: true, kinds };
    stack.push(frameOf(world, step.what));
  }
  return { states: seen.size, steps, violation: null, isCut: false, kinds };
}

/** Worlds that differ only in the order of messages that come in any order are one. */
const keyOf = (world: World): string => {
  const { upward, downward, ...ordered } = world;
  const unordered = [upward, downward].map((channels) => channels.map((messages) => messages.map(textOf).sort()));
  return hash('md5', textOf(ordered) + textOf(unordered), 'base64');
};
