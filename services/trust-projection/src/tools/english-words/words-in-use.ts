export type CommonWord = { word: string; senses: number };

/**
 * The single words, no proper nouns among them, that texts were found to use in one of their senses.
 *
 * @param senseIndex WordNet's index.sense: a line `lemma%… offset number uses` for each sense (senseidx(5WN))
 * @param synsets WordNet's data files, which have words as they are written (wndb(5WN))
 */
export function wordsInUse(senseIndex: string, synsets: string): CommonWord[] {
  const written = wordsOfSynsets(synsets);
  const found = new Map<string, { senses: number; uses: number }>();
  for (const line of senseIndex.split('\n')) {
    const [key = '', , , uses = '0'] = line.split(' ');
    const word = key.slice(0, key.indexOf('%'));
    if (!written.has(word)) continue;
    const before = found.get(word) ?? { senses: 0, uses: 0 };
    found.set(word, { senses: before.senses + 1, uses: before.uses + Number(uses) });
  }
  return [...found].flatMap(([word, { senses, uses }]) => (uses > 0 ? { word, senses } : []));
}

function wordsOfSynsets(synsets: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of synsets.split('\n')) {
    // The files open with their licence, indented.
    if (line.startsWith('  ')) continue;
    const fields = line.split(' ');
    const count = Number.parseInt(fields[3] ?? '0', 16);
    for (let at = 0; at < count; at += 1) {
      const word = fields[4 + 2 * at]?.replace(/\(.*$/, '') ?? '';
      if (/^[a-z]{2,}$/.test(word)) words.add(word);
    }
  }
  return words;
}
