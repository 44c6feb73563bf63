import { readFileSync } from 'node:fs';
import { decodeTable, type WordMeaning } from './word-table-format.ts';

const meanings = decodeTable(readFileSync(new URL('./word-table.bin', import.meta.url)));

/** What the words of a stem mean; undefined for words that are rare in English and in the taxonomy. */
export function meaningOf(stem: string): WordMeaning | undefined {
  return meanings.get(stem);
}
