import { type ReactElement, useState } from 'react';

/** Copies a text. @param what what it copies, for example `agent id` */
export function CopyButton({ text, what }: { text: string; what: string }): ReactElement {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async (): Promise<void> => {
    try {
      // Only over HTTPS, or from this machine.
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('refused');
    }
  };
  const words = { idle: `Copy ${what}`, copied: 'Copied', refused: 'Cannot copy' };
  return (
    <>
      <button type="button" className="small" onClick={() => void copy()}>
        {words[state]}
      </button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : words[state]}
      </span>
    </>
  );
}
