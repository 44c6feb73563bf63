import type { PathStep } from './path-steps.ts';

/** A node of the drawn tree, by its middle. Only a node with a text has a hash that the proof names. */
export type DrawnNode = { kind: 'leaf' | 'neighbour' | 'inner' | 'root'; x: number; y: number; text: string | null };
export type DrawnLine = { from: DrawnNode; to: DrawnNode };
export type PathDrawing = { width: number; height: number; nodes: DrawnNode[]; lines: DrawnLine[] };

/** In the units of the drawing, which fits into a window of 360 px. */
export const drawn = { width: 300, nodeWidth: 88, nodeHeight: 26, innerRadius: 5, rowHeight: 52 } as const;
const margin = 2;
const middle = {
  left: margin + drawn.nodeWidth / 2,
  path: drawn.width / 2,
  right: drawn.width - margin - drawn.nodeWidth / 2,
};

/** The hash as it is drawn: enough of it to find it in the list. */
const shortened = (hash: string): string => `${hash.slice(0, 8)}…`;

/**
 * The tree from a leaf, at the bottom, up to the root: on each level the node on the way, in the middle, and its neighbour, on its side. Both are
 * joined to the node above, which is the hash of the two. A tree of one leaf is a leaf alone.
 */
export function drawPath(leaf: string, steps: readonly PathStep[], root: string): PathDrawing {
  const rowY = (level: number): number => margin + drawn.nodeHeight / 2 + (steps.length - level) * drawn.rowHeight;
  const onPath = (level: number): DrawnNode => {
    const place = { x: middle.path, y: rowY(level) };
    if (level === 0) return { kind: 'leaf', ...place, text: shortened(leaf) };
    return level === steps.length
      ? { kind: 'root', ...place, text: shortened(root) }
      : { kind: 'inner', ...place, text: null };
  };
  const path = [...steps.keys(), steps.length].map(onPath);
  const neighbours = steps.map(
    ({ hash, side }, level): DrawnNode => ({
      kind: 'neighbour',
      x: middle[side],
      y: rowY(level),
      text: shortened(hash),
    }),
  );
  const lines = steps.flatMap((_, level) => {
    const [node, neighbour, parent] = [path[level], neighbours[level], path[level + 1]];
    if (node === undefined || neighbour === undefined || parent === undefined) return [];
    return [
      { from: neighbour, to: parent },
      { from: node, to: parent },
    ];
  });
  return {
    width: drawn.width,
    height: rowY(0) + drawn.nodeHeight / 2 + margin,
    nodes: [...neighbours, ...path],
    lines,
  };
}
