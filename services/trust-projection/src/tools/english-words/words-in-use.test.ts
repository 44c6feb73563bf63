import { expect, it } from 'vitest';
import { wordsInUse } from './words-in-use.ts';

const senseIndex = `bank%1:14:00:: 08437235 1 20
bank%1:17:01:: 09236472 2 5
bank%2:40:00:: 02315525 3 0
lima%1:15:00:: 08715248 1 3
genu%1:08:00:: 05568374 1 0
hot_dog%1:13:00:: 07713282 1 4
unwritten%1:13:00:: 07713283 1 4
afraid%3:00:00:: 00077645 1 9
`;
const synsets = `  1 This software is provided to you under a licence.
08437235 14 n 01 bank 0 001 @ 08070465 n 0000 | sloping land
05568374 08 n 02 genu 0 knee 0 000 | a joint
08715248 15 n 01 Lima 0 000 | a city
07713282 13 n 01 hot_dog 0 000 | a sausage
00077645 00 a 01 afraid(p) 0 000 | filled with fear
`;

it('keeps single words that texts use and that are no proper nouns, with all their senses', () => {
  expect(wordsInUse(senseIndex, synsets)).toEqual([
    { word: 'bank', senses: 3 },
    { word: 'afraid', senses: 1 },
  ]);
});
