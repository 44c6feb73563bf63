/** Renews the tables of docs/metrics.md: `npx --yes pnpm --filter @agent-trust/metrics page:renew`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { renewedPage } from '../page.ts';

const page = new URL('../../../../docs/metrics.md', import.meta.url);
writeFileSync(page, renewedPage(readFileSync(page, 'utf8')));
