import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest';
import { browserArguments, findBrowser, howToGetOne } from './browser-program.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

export type ConsoleTests = {
  /** Opens a page of the console in a new tab. @param path below `/console`, for example `/registry` */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  /** The tabs of the test so far share one profile: a second one, to see what is left of the first. */
  context(): BrowserContext;
  /** Signs in by the dialog. @param key as pasted */
  signIn(visit: Visit, key: string, kind?: string): Promise<void>;
};

/** Tests wait for the slowest machine that runs them, and fail on no time. */
const waitMs = 30_000;

/**
 * Tests of the console in a real browser, one for the file; each test has a fresh profile, and fails on any error in the browser's console, any
 * violation of the Content Security Policy and any failed request that it does not declare. Without a browser they are skipped, and say how to get
 * one; with CI=true they fail.
 *
 * @param urlOf The registry whose console is opened; by default the one that all files share.
 */
export function describeConsole(
  name: string,
  tests: (console: ConsoleTests) => void,
  urlOf: () => string = () => inject('stack').urls[0] ?? '',
): void {
  const program = findBrowser();
  if (program === null && process.env['CI'] !== 'true') process.stderr.write(`${name}: skipped. ${howToGetOne}\n`);
  describe.skipIf(program === null && process.env['CI'] !== 'true')(`${name}`, () => {
    let browser: Browser | undefined;
    let context: BrowserContext | undefined;
    let visits: Visit[] = [];
    beforeAll(async () => {
      if (program === null) throw new Error(howToGetOne);
      browser = await chromium.launch({ executablePath: program, args: [...browserArguments] });
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      context = await browser?.newContext({ reducedMotion: 'reduce' });
      context?.setDefaultTimeout(waitMs);
    });
    afterEach(async () => {
      const faults = visits.flatMap((visit) => visit.faults);
      visits = [];
      await context?.close();
      expect(faults).toEqual([]);
    });
    const opened = (): BrowserContext => {
      if (context === undefined) throw new Error('the browser runs only while a test does');
      return context;
    };
    tests({
      context: opened,
      visit: async (path, options = {}) => {
        const visit = await openVisit(opened(), `${urlOf()}/console`, path, options);
        visits.push(visit);
        return visit;
      },
      signIn: async ({ page }, key, kind) => {
        await page.getByRole('button', { name: /^Sign in$|^Signed in as/u }).click();
        const dialog = page.getByRole('dialog', { name: 'Who you are' });
        await dialog.getByLabel('Key').fill(key);
        if (kind !== undefined) await dialog.getByLabel('Whose it is').selectOption({ label: kind });
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        // The field is emptied once the registry has said whose key it is: another one may have been held before.
        await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('');
        await dialog.getByRole('button', { name: 'Close' }).click();
      },
    });
  });
}
