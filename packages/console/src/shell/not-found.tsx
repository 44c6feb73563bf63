import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageTitle } from './page-title.tsx';

/** At an address that no page has. */
export function NotFound(): ReactElement {
  return (
    <>
      <PageTitle title="No such page" />
      <p>
        The console has no page at this address. <Link to="/">Home</Link>
      </p>
    </>
  );
}
