import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { errorParts } from './error-parts.ts';
import styles from './states.module.css';
import { Foreign } from './text.tsx';

/** While an answer is awaited. @param what for example `agents` */
export function Loading({ what }: { what: string }): ReactElement {
  return (
    <p className={styles['loading']} role="status">
      Loading {what}…
    </p>
  );
}

/** Where there is nothing to show, and what would change that. */
export function Empty({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles['empty']}>{children}</p>;
}

/** An error with what the operator needs to find it, and a button that tries again where that may help. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }): ReactElement {
  const { title, detail, code, requestId, maySucceedLater } = errorParts(error);
  return (
    <div className={styles['error']} role="alert">
      <p>
        <strong>{title}.</strong> <Foreign text={detail} />
      </p>
      {(code !== null || requestId !== null) && (
        <p className={styles['small']}>
          {code !== null && <code>{code}</code>} {requestId !== null && <>request {<code>{requestId}</code>}</>}
        </p>
      )}
      {onRetry !== undefined && maySucceedLater && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export type AnswerProps<Answer> = {
  of: UseQueryResult<Answer>;
  /** What is awaited, for example `agents`. */
  what: string;
  children: (answer: Answer) => ReactNode;
};

/** An answer of the registry, or why there is none yet. An earlier answer stays visible beside a later error. */
export function Answer<Of>({ of, what, children }: AnswerProps<Of>): ReactElement {
  return (
    <>
      {of.error !== null && <ErrorNote error={of.error} onRetry={() => void of.refetch()} />}
      {of.data !== undefined ? children(of.data) : of.error === null && <Loading what={what} />}
    </>
  );
}
