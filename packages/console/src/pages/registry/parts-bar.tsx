import type { MatchResult } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { partNames } from './match-words.ts';
import styles from './parts-bar.module.css';

/** The points of a match_score as parts of one bar, whose full width is 1. The columns beside it have the numbers. */
export function PartsBar({ parts }: { parts: MatchResult['match_parts'] }): ReactElement {
  const text = partNames.map(([part, name]) => `${name} ${parts[part].points.toFixed(4)}`).join(', ');
  return (
    <span className={styles['bar']} role="img" aria-label={text} title={text}>
      {partNames.map(([part]) => (
        <span key={part} className={styles[part]} style={{ width: `${parts[part].points * 100}%` }} />
      ))}
    </span>
  );
}
