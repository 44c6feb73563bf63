import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';

export type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** `side`: along the right edge, for details of what the page shows. */
  place?: 'middle' | 'side';
};

/**
 * A modal dialog: the browser's own, which keeps the focus inside, makes the page behind inert, closes on Escape and gives the focus back. It needs
 * no style element of a script, which the Content Security Policy would refuse.
 */
export function Dialog({ title, isOpen, onClose, children, place = 'middle' }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    dialog.current?.close();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${styles[place]}`}
      aria-labelledby={titleId}
      // On Escape. The event `close` comes later: until then a key may be shown, and the reader may have opened the next dialog.
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Where the browser closes it by itself. A late one of an earlier closing finds the dialog open again.
      onClose={() => {
        if (isOpen && dialog.current?.open === false) onClose();
      }}
    >
      {isOpen && (
        <>
          <div className={styles['header']}>
            <h2 id={titleId}>{title}</h2>
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
