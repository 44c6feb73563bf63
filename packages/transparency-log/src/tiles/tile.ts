/** Hashes in a full tile (C2SP tlog-tiles). */
export const tileWidth = 256;
/** Levels of the tree that one tile spans. */
export const tileHeight = 8;
const levelMax = 63;

/** A tile: hashes `index` · 256 and on of the tree's level 8 · `level`; `width` is 256 for a full one, 1 to 255 for a partial one. */
export type Tile = { level: number; index: number; width: number };

/** The path of a tile behind a log's prefix, `tile/<L>/<N>[.p/<W>]` (C2SP tlog-tiles): tile 1234067 of level 0 is `tile/0/x001/x234/067`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = index.toString();
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/gu) ?? [];
  const last = groups.length - 1;
  const number = groups.map((group, at) => (at < last ? `x${group}` : group)).join('/');
  return `tile/${level}/${number}${width < tileWidth ? `.p/${width}` : ''}`;
}

/** The tile that a path names, in its one spelling; null when it names none. `tile/` may stand before it or not. */
export function parseTilePath(path: string): Tile | null {
  const match = /^(?:tile\/)?(0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/u.exec(path);
  if (match === null) return null;
  const [, levelText = '', numberText = '', widthText] = match;
  const tile = {
    level: Number(levelText),
    index: Number(numberText.replaceAll(/[x/]/gu, '')),
    width: widthText === undefined ? tileWidth : Number(widthText),
  };
  if (tile.level > levelMax || !Number.isSafeInteger(tile.index)) return null;
  if (widthText !== undefined && tile.width >= tileWidth) return null;
  return tilePath(tile) === `tile/${path.replace(/^tile\//u, '')}` ? tile : null;
}

/** Hashes that a tree of `size` leaves has at the level of tiles `level`: full subtrees of 256^level leaves. */
export function hashesAtTileLevel(size: number, level: number): number {
  return Math.floor(size / tileWidth ** level);
}

/** The tile at a place, as wide as the tree of `size` leaves has it; null where it has none. */
export function tileInTree(level: number, index: number, size: number): Tile | null {
  const width = Math.min(tileWidth, hashesAtTileLevel(size, level) - index * tileWidth);
  return width > 0 ? { level, index, width } : null;
}
