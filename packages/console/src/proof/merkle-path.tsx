import type { ReactElement } from 'react';
import { Code } from '../ui/text.tsx';
import styles from './merkle-path.module.css';
import { type DrawnNode, drawn, drawPath } from './path-drawing.ts';
import { pathSteps } from './path-steps.ts';

export type MerklePathProps = {
  /** What the leaf is, for example `review`. */
  of: string;
  /** Of the leaf, from 0. */
  index: number;
  /** Leaves of the tree. */
  size: number;
  leafHash: string;
  /** The audit path, from the leaf up. */
  hashes: readonly string[];
  root: string;
};

/** The way from a leaf up to the root, which a verifier has walked: drawn, and as a list with the whole hashes. */
export function MerklePath({ of, index, size, leafHash, hashes, root }: MerklePathProps): ReactElement {
  const steps = pathSteps(index, size, hashes);
  const { width, height, nodes, lines } = drawPath(leafHash, steps, root);
  return (
    <>
      <h3>From the {of} to the root</h3>
      {/* The list says the same. */}
      <svg className={styles['drawing']} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {lines.map(({ from, to }) => (
          <line
            key={`${from.x} ${from.y}`}
            className={from.kind === 'neighbour' ? styles['line'] : styles['way']}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        ))}
        {nodes.map((node) => (
          <Node key={`${node.x} ${node.y}`} node={node} />
        ))}
      </svg>
      <ol className={styles['path']}>
        <li>
          Leaf <Code text={leafHash} />
        </li>
        {steps.map(({ hash, side }, level) => (
          <li key={`${level} ${hash}`} className={styles[side]}>
            with its {side} neighbour <Code text={hash} />
          </li>
        ))}
        <li>
          Root, which the checkpoint signs <Code text={root} />
        </li>
      </ol>
    </>
  );
}

function Node({ node: { kind, x, y, text } }: { node: DrawnNode }): ReactElement {
  if (text === null) return <circle className={styles['inner']} cx={x} cy={y} r={drawn.innerRadius} />;
  return (
    <>
      <rect
        className={kind === 'neighbour' ? styles['neighbour'] : styles['end']}
        x={x - drawn.nodeWidth / 2}
        y={y - drawn.nodeHeight / 2}
        width={drawn.nodeWidth}
        height={drawn.nodeHeight}
        rx={4}
      />
      <text className={styles['hash']} x={x} y={y}>
        {text}
      </text>
    </>
  );
}
