import type { ReactElement } from 'react';
import { useNow } from './use-now.ts';
import { agoText, timeText } from './time.ts';

/** A time as how long ago it is, with the exact one on hover and for screen readers. @param at RFC 3339 */
export function Ago({ at }: { at: string }): ReactElement {
  const now = useNow();
  return (
    <time dateTime={at} title={timeText(at)}>
      {agoText(at, now)}
    </time>
  );
}

/** An exact time, in the reader's time zone. @param at RFC 3339 */
export function Moment({ at }: { at: string }): ReactElement {
  return (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  );
}
