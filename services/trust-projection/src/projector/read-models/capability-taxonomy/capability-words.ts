/** The words of a text in lower case: runs of letters, marks and digits. Names are split at underscores and punctuation alike. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
