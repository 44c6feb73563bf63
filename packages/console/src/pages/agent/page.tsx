import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** One agent: its trust, the reasons, and its past. */
export function Page(): ReactElement {
  return <PageTitle title="Agent" />;
}
