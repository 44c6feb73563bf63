import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashesAtTileLevel, parseTilePath, type Tile, tileInTree, tilePath } from './tile.ts';

describe('the path of a tile', () => {
  it('is the path of C2SP tlog-tiles', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(tilePath({ level: 63, index: 0, width: 112 })).toBe('tile/63/000.p/112');
    expect(tilePath({ level: 1, index: 999, width: 256 })).toBe('tile/1/999');
    expect(tilePath({ level: 1, index: 1000, width: 1 })).toBe('tile/1/x001/000.p/1');
  });

  it('is parsed to the same tile', () => {
    fc.assert(
      fc.property(
        fc.record({ level: fc.nat(63), index: fc.nat(2 ** 40), width: fc.integer({ min: 1, max: 256 }) }),
        (tile) => {
          expect(parseTilePath(tilePath(tile))).toEqual(tile);
          expect(parseTilePath(tilePath(tile).slice('tile/'.length))).toEqual(tile);
        },
      ),
    );
  });

  it.each([
    'tile/64/000',
    'tile/00/000',
    'tile/01/000',
    'tile/-1/000',
    'tile/0/0',
    'tile/0/1000',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000.p/',
    'tile/entries/000',
    'tile/0/000/',
    'tile/0/x999/x999/x999/x999/x999/x999/999',
    'tile/0/../000',
    '',
  ])('is refused in any other spelling: %s', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

it('a tree of 70,000 leaves has the tiles that C2SP tlog-tiles names', () => {
  const tiles = (level: number): Tile[] =>
    Array.from({ length: Math.ceil(hashesAtTileLevel(70_000, level) / 256) + 1 }, (_, index) => index)
      .map((index) => tileInTree(level, index, 70_000))
      .filter((tile) => tile !== null);
  expect(tiles(0)).toHaveLength(274);
  expect(tiles(0).at(-1)).toEqual({ level: 0, index: 273, width: 112 });
  expect(tiles(1).map(({ width }) => width)).toEqual([256, 17]);
  expect(tiles(2)).toEqual([{ level: 2, index: 0, width: 1 }]);
  expect(tiles(3)).toEqual([]);
  expect(tileInTree(1, 0, 256)).toEqual({ level: 1, index: 0, width: 1 });
});
