/** Round numbers from 0 to a limit, about ten of them, a power of ten times 1, 2 or 5 apart. */
export function niceTicks(limit: number): number[] {
  const rough = limit / 10;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1;
  return Array.from({ length: Math.floor(limit / step) + 1 }, (_, index) => index * step);
}
