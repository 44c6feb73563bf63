/**
 * One line for a terminal, in which others have words: those of an export, a checkpoint or a server's answer. What would move the cursor,
 * rewrite what stands above ("NOT verified") or change the direction of letters is shown by its code point.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
