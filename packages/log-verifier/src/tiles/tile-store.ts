import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes, type Tile, tilePath, tileWidth } from '@agent-trust/transparency-log';
import { fetchBytes, UnreachableError } from '../fetch-bytes.ts';

/** Where tiles are (C2SP tlog-tiles): a log's prefix, as a URL or a folder. */
export type TileStore = { description: string; read: (tile: Tile) => Promise<Uint8Array> };

const tileBytesMax = tileWidth * hashBytes;

/** @param prefix `https://…/log`, or a folder that holds `tile/…`. */
export function tileStore(prefix: string): TileStore {
  const base = prefix.replace(/\/+$/u, '');
  const readPath = /^https?:\/\//u.test(base)
    ? (path: string) => fetchBytes(`${base}/${path}`, tileBytesMax)
    : (path: string) => readTileFile(join(base, path));
  return {
    description: base,
    read: async (tile) => {
      try {
        return await readPath(tilePath(tile));
      } catch (error) {
        // A log may take a partial tile away once the full one is there.
        if (tile.width === tileWidth || !(error instanceof UnreachableError) || error.status !== 404) throw error;
        return await readPath(tilePath({ ...tile, width: tileWidth }));
      }
    },
  };
}

const readTileFile = async (path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    throw new UnreachableError(`${path} cannot be read`, 404, { cause });
  }
};
