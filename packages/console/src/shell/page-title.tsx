import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Name } from '../ui/text.tsx';

/** The heading of a page, which also names the tab. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }): ReactElement {
  useEffect(() => {
    document.title = `${title} · Agent Trust Registry`;
  }, [title]);
  return (
    <h1>
      <Name text={title} />
      {children}
    </h1>
  );
}
