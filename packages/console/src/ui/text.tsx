import type { ReactElement } from 'react';
import styles from './text.module.css';

/**
 * Text that somebody outside wrote: a name, a specialty, a contact. React shows it as text; this isolates its direction, so that characters that turn
 * the direction around do not reach beyond it.
 */
export function Foreign({ text }: { text: string }): ReactElement {
  return <bdi>{text}</bdi>;
}

/** White space by which two names could differ without anybody seeing it: all but one ordinary space between other characters. */
const unusualSpace = /(^\s+|\s+$|\s{2,}|[^\S ]+)/u;

/** An agent's id or an organisation's name: as `Foreign`, with a mark on white space that is easily overlooked. */
export function Name({ text }: { text: string }): ReactElement {
  const parts = text.split(unusualSpace);
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
          <span key={index} className={styles['space']} role="img" aria-label="space" title="space">
            {part}
          </span>
        ),
      )}
    </bdi>
  );
}

/** An identifier, a hash or a key, in characters of equal width; breaks anywhere. */
export function Code({ text }: { text: string }): ReactElement {
  return (
    <bdi>
      <code className="break">{text}</code>
    </bdi>
  );
}
