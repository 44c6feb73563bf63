/** How the table of word meanings is laid out; `tools/word-table` writes it. */
export const tableShape = { dimensions: 64, domainScale: 20, weightScale: 255 } as const;

/** What the words of a stem mean. */
export type WordMeaning = {
  /** Where they stand among other words (GloVe, Pennington et al., 2014, reduced); its length is about 127. */
  vector: Int8Array;
  /** What they count in a phrase: 1 for rare words, less for frequent ones (Arora et al., 2017). */
  weight: number;
  /** Above 0 for words of what the taxonomy is about, below for words of everyday texts. */
  domain: number;
};

/**
 * Reads a table: a line of stems with a space between them, then a row of bytes for each: the vector, the domain and the weight.
 *
 * @throws Error when the rows do not fit the stems
 */
export function decodeTable(table: Uint8Array): Map<string, WordMeaning> {
  const { dimensions, domainScale, weightScale } = tableShape;
  const end = table.indexOf('\n'.charCodeAt(0));
  const stems = new TextDecoder().decode(table.subarray(0, end)).split(' ');
  const rowSize = dimensions + 2;
  if (end < 0 || table.length !== end + 1 + stems.length * rowSize) throw new Error('The table of words is damaged.');
  const rows = Int8Array.from(table.subarray(end + 1));
  return new Map(
    stems.map((stem, index) => {
      const from = index * rowSize;
      const vector = rows.subarray(from, from + dimensions);
      const domain = (rows[from + dimensions] ?? 0) / domainScale;
      return [stem, { vector, domain, weight: ((rows[from + dimensions + 1] ?? 0) & 0xff) / weightScale }];
    }),
  );
}
