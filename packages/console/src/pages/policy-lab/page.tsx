import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** What another trust policy would change, for operators. */
export function Page(): ReactElement {
  return <PageTitle title="Policy lab" />;
}
