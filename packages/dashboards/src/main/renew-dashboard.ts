/** Renews the dashboard's JSON: `npx --yes pnpm --filter @agent-trust/dashboards dashboard:renew`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dashboardPath, dashboardText } from '../dashboard.ts';

const path = resolve(import.meta.dirname, '../../../..', dashboardPath);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, dashboardText());
