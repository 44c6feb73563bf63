import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ErrorNote } from '../ui/states.tsx';
import { PageTitle } from './page-title.tsx';

/** In place of a page that threw, or whose files could not be loaded. */
export function PageFailed({ error, reset }: ErrorComponentProps): ReactElement {
  return (
    <>
      <PageTitle title="The page failed" />
      <ErrorNote error={error} onRetry={reset} />
    </>
  );
}
