import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  appendLeaf,
  checkpointText,
  emptyFrontier,
  frontierRoot,
  type NoteSigner,
  noteSigner,
  signatureTypes,
  signNote,
  type Tile,
  tileInTree,
  tilePath,
  tileWidth,
} from '@agent-trust/transparency-log';
import type { TileStore } from '../tiles/tile-store.ts';

export const origin = 'registry.example/log';

/** A log's key, derived from a number. */
export function logSigner(fill = 1): Promise<NoteSigner> {
  return noteSigner(origin, new Uint8Array(32).fill(fill), signatureTypes.ed25519);
}

export type PublishedTree = {
  size: number;
  tiles: TileStore;
  /** The signed checkpoint of the first `size` leaves. */
  checkpoint(size?: number): Promise<string>;
  /** Writes all tiles to a folder, as a log serves them. */
  writeTiles(folder: string): Promise<void>;
};

/** The files that a registry publishes for a log with these leaves. */
export async function publish(leaves: readonly Uint8Array[], signer?: NoteSigner): Promise<PublishedTree> {
  const nodes = new Map<string, Uint8Array>();
  const roots = [frontierRoot(emptyFrontier)];
  let frontier = emptyFrontier;
  for (const leaf of leaves) {
    frontier = appendLeaf(frontier, leaf, (level, index, hash) => nodes.set(`${level}/${index}`, hash));
    roots.push(frontierRoot(frontier));
  }
  const key = signer ?? (await logSigner());
  const read = async ({ level, index, width }: Tile): Promise<Uint8Array> =>
    new Uint8Array(
      Buffer.concat(
        Array.from(
          { length: width },
          (_, at) => nodes.get(`${level * 8}/${index * tileWidth + at}`) ?? Buffer.alloc(0),
        ),
      ),
    );
  return {
    size: leaves.length,
    tiles: { description: 'the published tiles', read },
    checkpoint: (size = leaves.length) =>
      signNote(checkpointText({ origin, size, root: roots[size] ?? new Uint8Array(32) }), key),
    writeTiles: async (folder) => {
      for (let level = 0; level < 3; level += 1) {
        for (let index = 0; ; index += 1) {
          const tile = tileInTree(level, index, leaves.length);
          if (tile === null) break;
          const path = join(folder, tilePath(tile));
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, await read(tile));
        }
      }
    },
  };
}
