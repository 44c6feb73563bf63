/**
 * The point of a chart in steps that a place on it belongs to: the nearest one if it is near, else the one whose value holds there.
 *
 * @param times ascending, at least one
 */
export function pointAt(times: readonly number[], at: number, near: number): number {
  const holding = Math.max(
    0,
    times.findLastIndex((time) => time <= at),
  );
  const next = times[holding + 1];
  const isNextNearer = next !== undefined && next - at <= near && next - at < Math.abs(at - (times[holding] ?? at));
  return isNextNearer ? holding + 1 : holding;
}
