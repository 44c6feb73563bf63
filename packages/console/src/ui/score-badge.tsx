import type { ReactElement } from 'react';
import { type Action, actionAt, actionWords } from './score-words.ts';
import styles from './score-badge.module.css';

export type ScoreBadgeProps = {
  score: number;
  /** What the registry recommends; by default what follows from the score. */
  action?: Action | undefined;
  size?: 'small' | 'large';
};

/** A score from 0 to 100 with its verdict in words: colour alone says nothing. */
export function ScoreBadge({ score, action = actionAt(score), size = 'small' }: ScoreBadgeProps): ReactElement {
  return (
    <span className={`${styles['badge']} ${styles[action]} ${styles[size]}`}>
      <span className={styles['score']}>{score}</span>
      <span>{actionWords[action]}</span>
    </span>
  );
}
