import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';

/** An organisation's agents, keys, payments and webhooks. */
export function Page(): ReactElement {
  return <PageTitle title="Organisation" />;
}
