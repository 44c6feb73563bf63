import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** The state of the installation, for operators. */
export function Page(): ReactElement {
  return <PageTitle title="System" />;
}
