import { describe, expect, it } from 'vitest';
import { drawn, drawPath } from './path-drawing.ts';
import { pathSteps } from './path-steps.ts';

const [leaf, root] = ['aaaaaaaaaa', 'ffffffffff'];
const drawing = (index: number, size: number, hashes: readonly string[]) =>
  drawPath(leaf, pathSteps(index, size, hashes), root);

describe('the drawing of a path', () => {
  it('has the leaf below, the root above, and each neighbour on its side of the way', () => {
    const { nodes, width } = drawing(4, 7, ['1111111111', '2222222222', '3333333333']);
    const sideOf = (text: string): string => {
      const x = nodes.find((node) => node.text === text)?.x ?? Number.NaN;
      return x < width / 2 ? 'left' : 'right';
    };
    expect(['11111111…', '22222222…', '33333333…'].map(sideOf)).toEqual(['right', 'right', 'left']);
    const way = nodes.filter(({ kind }) => kind !== 'neighbour').toSorted((one, other) => other.y - one.y);
    expect(way.map(({ kind }) => kind)).toEqual(['leaf', 'inner', 'inner', 'root']);
    expect(way.map(({ text }) => text)).toEqual(['aaaaaaaa…', null, null, 'ffffffff…']);
  });

  it('joins the node on the way and its neighbour to the node above both', () => {
    const { lines } = drawing(0, 2, ['1111111111']);
    expect(lines.map(({ from, to }) => [from.kind, to.kind])).toEqual([
      ['neighbour', 'root'],
      ['leaf', 'root'],
    ]);
    for (const { from, to } of lines) expect(from.y - to.y).toBe(drawn.rowHeight);
  });

  it('stays within its area, however large the tree, and no two nodes overlap', () => {
    const hashes = Array.from({ length: 53 }, (_, at) => String(at).padStart(10, '0'));
    const { nodes, width, height } = drawing(2 ** 52 + 5, 2 ** 53, hashes);
    expect(nodes).toHaveLength(2 * hashes.length + 1);
    for (const { x, y } of nodes) {
      expect(x - drawn.nodeWidth / 2).toBeGreaterThanOrEqual(0);
      expect(x + drawn.nodeWidth / 2).toBeLessThanOrEqual(width);
      expect(y - drawn.nodeHeight / 2).toBeGreaterThanOrEqual(0);
      expect(y + drawn.nodeHeight / 2).toBeLessThanOrEqual(height);
      const near = nodes.filter(
        (other) => Math.abs(other.x - x) < drawn.nodeWidth && Math.abs(other.y - y) < drawn.nodeHeight,
      );
      expect(near).toHaveLength(1);
    }
  });

  it('of a tree of one leaf is the leaf', () => {
    expect(drawing(0, 1, [])).toMatchObject({ nodes: [{ kind: 'leaf' }], lines: [] });
  });
});
