import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renewedPage } from './page.ts';

const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');

describe('docs/metrics.md', () => {
  it('has the tables of the code', () => {
    expect(page, 'renew it: npx --yes pnpm --filter @agent-trust/metrics page:renew').toBe(renewedPage(page));
  });

  it('is refused without a place for them', () => {
    expect(() => renewedPage('# Metrics\n')).toThrow("docs/metrics.md has no line '<!-- The tables");
  });

  it('gets back what was changed in them by hand', () => {
    const changed = page.replace('`http.server.request.duration`', '`http.server.duration`');
    expect(changed).not.toBe(page);
    expect(renewedPage(changed)).toBe(page);
  });
});
