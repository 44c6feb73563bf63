import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** The agents, and who fits a task. */
export function Page(): ReactElement {
  return <PageTitle title="Registry" />;
}
