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
  return (
    <dialog ref={dialog} className={`${styles['dialog']} ${styles[place]}`} aria-labelledby={titleId} onClose={onClose}>
      {isOpen && (
        <>
          <div className={styles['header']}>
            <h2 id={titleId}>{title}</h2>
            <button
              type="button"
              onClick={() => {
                dialog.current?.close();
                // The browser says so later, and what is hidden until then may be a key.
                onClose();
              }}
            >
              Close
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
