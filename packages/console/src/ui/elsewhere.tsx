import type { ReactElement, ReactNode } from 'react';

/** A link to another site, if there is one. In a tab of its own: this tab has the reader's keys, and would lose them. */
export function Elsewhere({ href, children }: { href: string | null; children: ReactNode }): ReactElement {
  if (href === null) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> (another site, in a new tab)</span>
    </a>
  );
}
