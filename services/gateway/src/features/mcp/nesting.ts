/**
 * Whether objects and arrays stand in each other more than so many deep. Level by level: what walks down a value by calling itself would run
 * out of stack, and JSON.stringify does.
 */
export function isNestedDeeper(value: unknown, levelsMax: number): boolean {
  let level: object[] = [value].filter(isObject);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levelsMax) return true;
    level = level.flatMap((holder): unknown[] => Object.values(holder)).filter(isObject);
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
