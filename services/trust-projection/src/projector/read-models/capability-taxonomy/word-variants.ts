type Rule = { pattern: RegExp; replacement: string };

/** Forms of a word that the stemmer does not bring together. */
const rules: readonly Rule[] = [
  // Agents are often called by what they do: a planner plans.
  { pattern: /(?<=..[^aeiou])(er|or)s?$/, replacement: 'ing' },
  // To analyse, an analysis, analytics.
  { pattern: /^analy(s|z|t)\w*$/, replacement: 'analysis' },
];

/**
 * Other forms of a word: what it is that an agent noun does. Some of them are no words at all; they are only looked for where the word
 * itself is unknown, and then do not occur either.
 */
export function variantsOf(word: string): string[] {
  return [
    ...new Set(
      rules.flatMap(({ pattern, replacement }) => (pattern.test(word) ? [word.replace(pattern, replacement)] : [])),
    ),
  ];
}
