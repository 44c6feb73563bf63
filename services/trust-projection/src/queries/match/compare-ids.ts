/** Moves the halves of a character beyond U+FFFF behind all others, as UTF-8 has it. */
const codePointRank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Orders texts by code points, which is the order of their UTF-8 bytes and so that of COLLATE "C"; `<` goes by UTF-16 units and
 * puts an emoji before U+FF5E.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return codePointRank(unitA) - codePointRank(unitB);
  }
  return a.length - b.length;
}
