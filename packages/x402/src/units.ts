/**
 * An amount of atomic units in whole units, as exact decimal text: `unitsOf('1234567', 6)` is `1.234567`. No float is involved.
 *
 * @param atomic decimal digits.
 */
export function unitsOf(atomic: string, decimals: number): string {
  const digits = atomic.replace(/^0+(?=\d)/u, '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/u, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
