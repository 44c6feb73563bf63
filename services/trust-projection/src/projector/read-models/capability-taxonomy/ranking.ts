/** How candidates are found and ranked. */
export const ranking = {
  /** Reciprocal rank fusion adds 1 / (k + rank) over the rankings; 60 as in Cormack, Clarke and Büttcher, SIGIR 2009. */
  fusionConstant: 60,
  /** What a word counts by where a capability has it. */
  fieldStrength: { name: 1, alias: 0.9, phrase: 0.75, description: 0.5 },
  /** A word that no capability uses is taken for a misspelt one from this trigram similarity on. */
  spellingSimilarityMin: 0.4,
  spellingGuessesMax: 2,
  /** What another form of a word (see `word-variants.ts`) counts for the word itself. */
  otherFormSimilarity: 0.95,
  /** Words of a name that are looked at; a name of 50 characters seldom has more. */
  wordsMax: 16,
  /** Capabilities whose labels are compared because their texts have the words. */
  textCandidatesMax: 40,
  /** Learned names and aliases that one kind of index may bring up: they grow with the number of agents, the work must not. */
  learnedCandidatesMax: 200,
  /** Share of a name's meaning (its words by weight) that a learned name must have in common with it to be looked at. */
  learnedOverlapMin: 0.5,
  /** The best candidates so far, whose categories raise their siblings. */
  siblingsOfBest: 10,
} as const;
