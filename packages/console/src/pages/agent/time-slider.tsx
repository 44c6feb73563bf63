import type { TrustChange } from '@agent-trust/client';
import { Range, Root, Thumb, Track } from '@radix-ui/react-slider';
import { type ReactElement, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { timeText } from '../../ui/time.ts';
import { changeAt } from './moments.ts';
import styles from './time-slider.module.css';

export type TimeSliderProps = {
  changes: readonly TrustChange[];
  asOf: string | undefined;
  compares: boolean;
  /** @param moment a position or a time; undefined for now */
  onMoment: (moment: string | undefined) => void;
  onCompare: (compares: boolean) => void;
};

/** Chooses the moment that the whole page shows: a change of the score, any other time, or now. */
export function TimeSlider({ changes, asOf, compares, onMoment, onCompare }: TimeSliderProps): ReactElement {
  const [time, setTime] = useState('');
  const last = changes.length;
  const shown = asOf === undefined ? last : Math.max(0, changeAt(asOf, changes));
  // Where the thumb is while it is moved, until the page shows another moment.
  const [drag, setDrag] = useState<{ from: string | undefined; index: number } | null>(null);
  const dragged = drag !== null && drag.from === asOf && drag.index !== shown ? drag.index : null;
  const value = dragged ?? shown;
  const nameOf = (index: number): string => {
    const change = changes[index];
    return change === undefined ? 'Now' : `${timeText(change.at)}, score ${change.trust_score} (${change.cause.type})`;
  };
  /** The moment may lie outside of the changes that are shown, or between two of them. */
  const momentText = (): string => {
    if (dragged !== null || asOf === undefined) return nameOf(value);
    if (!/^\d+$/u.test(asOf)) return timeText(asOf);
    return changes[shown]?.position === asOf ? nameOf(shown) : `Position ${asOf}`;
  };
  return (
    <div className={styles['slider']}>
      <p className={styles['hint']}>Move it to see this page as of any earlier moment.</p>
      <Root
        className={styles['root']}
        min={0}
        max={last}
        step={1}
        value={[value]}
        onValueChange={([index]) => setDrag(index === undefined ? null : { from: asOf, index })}
        onValueCommit={([index]) => {
          setDrag(null);
          onMoment(index === undefined ? undefined : changes[index]?.position);
        }}
      >
        <Track className={styles['track']}>
          <Range className={styles['range']} />
        </Track>
        <Thumb className={styles['thumb']} aria-label="Moment that the page shows" aria-valuetext={momentText()} />
      </Root>
      <div className="row">
        <strong className="break">{momentText()}</strong>
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            const at = Date.parse(time);
            if (!Number.isNaN(at)) onMoment(new Date(at).toISOString());
          }}
        >
          <Field label="Any other time" type="datetime-local" step={1} value={time} onValue={setTime} />
          <button type="submit" disabled={time === ''}>
            Show
          </button>
        </form>
        {asOf !== undefined && (
          <>
            <label>
              <input type="checkbox" checked={compares} onChange={({ target }) => onCompare(target.checked)} /> Compare
              with now
            </label>
            <button type="button" onClick={() => onMoment(undefined)}>
              Back to now
            </button>
          </>
        )}
      </div>
    </div>
  );
}
