/** What is measured, the comparison that it must stand, the aim, and the figure. */
export type Aim = [what: string, comparison: '≥' | '≤' | '<', aim: number, measured: number];

export function isMet([, comparison, aim, measured]: Aim): boolean {
  if (comparison === '≥') return measured >= aim;
  return comparison === '≤' ? measured <= aim : measured < aim;
}

export function aimLine(one: Aim): string {
  const [what, comparison, aim, measured] = one;
  return `- ${isMet(one) ? 'met' : '**not met**'}: ${what}: ${figure(measured)} (aim ${comparison} ${figure(aim)})`;
}

/** A count with separators of thousands. */
export function rate(value: number): string {
  return Math.round(value).toLocaleString('en');
}

const figure = (value: number): string => (value >= 100 ? rate(value) : String(Number(value.toPrecision(3))));
