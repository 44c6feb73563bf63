import type { Page } from 'playwright-core';

/** Has a page take itself for one in a tab that nobody sees: it asks for nothing now and then. For `before` of a visit. */
export function asHiddenTab(page: Page): Promise<unknown> {
  return page.addInitScript("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })");
}
