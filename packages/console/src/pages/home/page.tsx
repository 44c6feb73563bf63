import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** The first page. */
export function Page(): ReactElement {
  return <PageTitle title="Agent Trust Registry" />;
}
