/** The words of a text in lower case: runs of letters, marks and digits. Names are split at underscores and punctuation alike. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Forms of a word that the stemmer does not bring together. */
const rules: readonly { pattern: RegExp; replacement: string }[] = [
  // Agents are often named after what they do: a planner plans.
  { pattern: /(?<=..[^aeiou])(er|or)s?$/, replacement: 'ing' },
  // To analyse, an analysis, analytics.
  { pattern: /^analy(s|z|t)\w*$/, replacement: 'analysis' },
];

/** Other forms of a word, such as what an agent noun does. Forms that are no words are never found. */
export function variantsOf(word: string): string[] {
  const forms = rules.filter(({ pattern }) => pattern.test(word));
  return [...new Set(forms.map(({ pattern, replacement }) => word.replace(pattern, replacement)))];
}
