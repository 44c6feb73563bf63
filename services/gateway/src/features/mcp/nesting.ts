/**
 * Whether objects and arrays are nested deeper than `levelsMax`. Level by level: recursion would overflow the stack, as in JSON.stringify.
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
