import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import axe from 'axe-core';
import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core';
import { expect } from 'vitest';

const screenshotsFolder = resolve(import.meta.dirname, '../../../screenshots');
const readmeFolder = resolve(import.meta.dirname, '../../../docs/screenshots');

export type VisitOptions = {
  /** Width of the window; the height follows. */
  widthPx?: number;
  /** Faults that the test provokes, for example an answer with the status 503. */
  provokes?: readonly RegExp[];
  /** Before the first request of the page, for example to change answers with `page.route`. */
  before?: (page: Page) => Promise<unknown>;
};

/** A page of the console in a tab of its own, with everything that went wrong in it. */
export type Visit = {
  page: Page;
  /** What was asked of the registry so far, without the console's own files: `GET /registry?limit=50&offset=0`. */
  asked: string[];
  /** Errors in the browser's console, violations of the Content Security Policy, failed requests. */
  faults: string[];
  /** Opens another address of the console, as if typed. */
  goTo: (path: string) => Promise<void>;
  /** Violations that axe-core finds in the page as it is; empty if there are none. */
  axe: () => Promise<string[]>;
  /** By how many pixels the page is wider than the window: 0 if nothing scrolls sideways. */
  overflowPx: () => Promise<number>;
  /** Once nothing is awaited any more. */
  loaded: () => Promise<void>;
  /**
   * Once nothing is awaited any more: holds the page against axe-core in dark and in light colours, contrast included, and keeps a picture of each in
   * the folder `screenshots`.
   */
  photograph: (name: string) => Promise<void>;
  /** Keeps a picture of the window there; with README_SCREENSHOTS=true in `docs/screenshots`, for the README. */
  showcase: (name: string) => Promise<void>;
  /** What a key pasted into this tab could be read from later: both storages, cookies, databases, caches and the address, as text. */
  stored: () => Promise<string>;
};

/** Opens a page. @param path below `/console` */
export async function openVisit(
  context: BrowserContext,
  consoleUrl: string,
  path: string,
  { widthPx = 1280, provokes = [], before }: VisitOptions,
): Promise<Visit> {
  const page = await context.newPage();
  await page.setViewportSize({ width: widthPx, height: Math.max(800, Math.round(widthPx * 0.7)) });
  const colour = (colorScheme: 'light' | 'dark'): Promise<void> =>
    page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await colour('light');
  const asked: string[] = [];
  const faults: string[] = [];
  const note = (fault: string): void => {
    if (!provokes.some((pattern) => pattern.test(fault))) faults.push(fault);
  };
  page.on('console', (message: ConsoleMessage) => {
    // Every answer is looked at below.
    const isOfAnswer = message.text().startsWith('Failed to load resource: the server responded with a status of 503');
    if (['error', 'warning'].includes(message.type()) && !isOfAnswer)
      note(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left gives up what it waits for.
    if (reason !== 'net::ERR_ABORTED') note(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on('response', (response: Response) => {
    // A busy registry may ask to come again, which the page does; what it shows in the end is for the test to say.
    const comesAgain =
      response.status() === 503 && response.request().method() === 'GET' && 'retry-after' in response.headers();
    if (response.status() >= 400 && !comesAgain)
      note(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  page.on('request', (request: Request) => {
    const { origin, protocol, pathname, search } = new URL(request.url());
    if (protocol !== 'data:' && !pathname.includes('/console')) asked.push(`${request.method()} ${pathname}${search}`);
    if (protocol !== 'data:' && origin !== new URL(consoleUrl).origin) note(`asked another origin: ${request.url()}`);
  });
  await page.addInitScript(reportViolations);
  await before?.(page);
  const goTo = async (to: string): Promise<void> => {
    await page.goto(`${consoleUrl}${to}`);
    await page.locator('main h1').waitFor();
  };
  const violations = async (): Promise<string[]> => {
    await page.evaluate(axe.source);
    return (await page.evaluate(runAxe)) as string[];
  };
  const loaded = async (): Promise<void> => {
    await expect.poll(() => page.getByText(/^Loading .+…$/u).count()).toBe(0);
  };
  await goTo(path);
  return {
    page,
    asked,
    faults,
    goTo,
    axe: violations,
    overflowPx: async () =>
      (await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) as number,
    loaded,
    photograph: async (name) => {
      await loaded();
      mkdirSync(screenshotsFolder, { recursive: true });
      for (const theme of ['dark', 'light'] as const) {
        await colour(theme);
        expect([name, theme, ...(await violations())]).toEqual([name, theme]);
        await page.screenshot({ path: join(screenshotsFolder, `${name}-${theme}.png`), fullPage: true });
      }
    },
    showcase: async (name) => {
      const folder = process.env['README_SCREENSHOTS'] === 'true' ? readmeFolder : screenshotsFolder;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    },
    stored: async () =>
      `${String(await page.evaluate(readStores))} ${JSON.stringify(await context.cookies())} ${page.url()}`,
  };
}

/** Each violation becomes an error in the console, which every test fails on. */
const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('violates ' + event.effectiveDirective + ': ' + event.blockedURI + ' ' + event.sample + ' at ' + event.sourceFile + ':' + event.lineNumber));`;

const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + help + ' ' + html + ' ' + failureSummary)))`;

const readStores = `(async () => JSON.stringify({
  local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie, state: history.state,
  databases: await indexedDB.databases(), caches: await caches.keys(), name: window.name,
}))()`;
