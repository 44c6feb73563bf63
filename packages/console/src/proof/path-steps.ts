/** One step of an audit path: the hash beside the present node, and on which side it is. */
export type PathStep = { hash: string; side: 'left' | 'right' };

/**
 * The sides of an audit path (RFC 9162 §2.1.3.2), for drawing alone: whether the path holds is for the verifier to say.
 *
 * @param index of the leaf, from 0
 * @param size leaves of the tree
 */
export function pathSteps(index: number, size: number, hashes: readonly string[]): PathStep[] {
  let node = index;
  let last = size - 1;
  return hashes.map((hash) => {
    // The last node of a level without a partner rises until it has one.
    while (node % 2 === 0 && node === last && last > 0) {
      node /= 2;
      last = Math.floor(last / 2);
    }
    const side = node % 2 === 1 ? 'left' : 'right';
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
    return { hash, side };
  });
}
