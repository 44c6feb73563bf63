import type uPlot from 'uplot';

const [secondS, minuteS, hourS, dayS] = [1, 60, 3_600, 86_400];
const [date, day, minute] = ['\n{D} {MMM} {YYYY}', '\n{D} {MMM}', '{HH}:{mm}'];

/** What stands at a tick, and below it where another year, day or minute begins. */
const row = (
  incrementS: number,
  tick: string,
  below: { year?: string; day?: string; minute?: string },
): (string | number | null)[] => [
  incrementS,
  tick,
  below.year ?? null,
  null,
  below.day ?? null,
  null,
  below.minute ?? null,
  null,
  // The second text stands below the first, not in its place.
  1,
];
const ofDay = { year: date, day };
const ofMinute = { year: `${day} ${minute}`, day: `${day} ${minute}`, minute: `\n${minute}` };

/** How a chart writes its times, by the distance of the ticks: as the page does, and so short that the first one is not cut off at the left. */
export const timeAxisValues: uPlot.Axis.TimeValuesConfig = [
  row(365 * dayS, '{YYYY}', {}),
  row(28 * dayS, '{MMM}', { year: '\n{YYYY}' }),
  row(dayS, '{D} {MMM}', { year: '\n{YYYY}' }),
  row(hourS, minute, ofDay),
  row(minuteS, minute, ofDay),
  row(secondS, ':{ss}', ofMinute),
  row(secondS / 1_000, ':{ss}.{fff}', ofMinute),
];

/** From where to where a chart of a single moment goes, in seconds since 1970: the library would show three years. */
export function dayAround(atS: number): [number, number] {
  return [atS - dayS / 2, atS + dayS / 2];
}

/** Between ticks of a chart's values, which are counts and scores: never a part of one. */
export const wholeIncrements: number[] = Array.from({ length: 12 }, (_none, power) =>
  [1, 2, 5].map((first) => first * 10 ** power),
).flat();
