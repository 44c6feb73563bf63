import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** Events of the log. */
export function Page(): ReactElement {
  return <PageTitle title="Audit" />;
}
