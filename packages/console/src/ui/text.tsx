import type { ReactElement } from 'react';

/**
 * Text that somebody outside wrote: a name, a specialty, a contact. React shows it as text; this isolates its direction, so that characters that turn
 * the direction around do not reach beyond it.
 */
export function Foreign({ text }: { text: string }): ReactElement {
  return <bdi>{text}</bdi>;
}

/** An identifier, a hash or a key, in characters of equal width; breaks anywhere. */
export function Code({ text }: { text: string }): ReactElement {
  return (
    <bdi>
      <code className="break">{text}</code>
    </bdi>
  );
}
