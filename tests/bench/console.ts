import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole } from '@agent-trust/console/build';
import { builtFolder } from '@agent-trust/console/built';
import { type PageFolder, readManifest } from '@agent-trust/console/manifest';
import { startStack } from '@agent-trust/dev-stack';
import { openSupervisor } from '@agent-trust/dev-stack/supervisor';
import { waitFor } from '@agent-trust/test-kit';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { browserArguments, findBrowser } from '../support/console/browser-program.ts';
import { firstPageBytes } from '../support/console/bundle.ts';
import { type Contrast, contrastOf, lowestOf } from '../support/console/contrast.ts';
import { bearer, createOrganisation, httpTo } from '../support/registry.ts';
import { startByCommand } from './start-command.ts';

/** Of each figure: a multiple of the pages that are loaded by their addresses, of which each goes first as often as the others. */
const rounds = 12;
const startRounds = 10;
const demoMsMax = 120_000;

export type PageFigures = {
  name: string;
  /** Scripts and styles that it needs as the first page, compressed. */
  bytes: number;
  /** From the request to the shown data, in ms: with an empty cache of the browser, and when it is loaded again; empty for pages that need a key. */
  cold: readonly number[];
  again: readonly number[];
  /** From the click on its link to the shown data; empty for pages that the navigation does not name. */
  opened: readonly number[];
};

export type ConsoleBench = {
  date: string;
  /** How many processes the machine had to run for others before (the average of a minute), and on how many processors. */
  load: number;
  processors: number;
  pages: readonly PageFigures[];
  contrast: Contrast;
  /** Seconds from the command to the line that says that the system is ready. One without the console and one later one follow each other. */
  starts: { without: readonly number[]; first: readonly number[]; later: readonly number[] };
};

type Subject = {
  name: string;
  folder: PageFolder;
  /** Below `/console`; null for a page that needs a key, which an address cannot bring. */
  path: string | null;
  /** Its link in the navigation. */
  link: string | null;
  /** What is there once it can be used. */
  shown: (page: Page) => Locator;
};

const table = (name: string | RegExp) => (page: Page) => page.getByRole('table', { name });
const subjectsOf = (agentId: string): readonly Subject[] => [
  { name: 'home', folder: 'home', path: '/', link: 'Home', shown: table('Newest agents with an endpoint') },
  {
    name: 'registry',
    folder: 'registry',
    path: '/registry',
    link: 'Registry',
    shown: table(/^Agents with an endpoint/u),
  },
  { name: 'match', folder: 'registry', path: '/registry?protocol=a2a', link: null, shown: table(/^The best/u) },
  {
    name: 'agent',
    folder: 'agent',
    path: `/agents/${encodeURIComponent(agentId)}`,
    link: null,
    shown: table(/^Parts of the score/u),
  },
  { name: 'audit', folder: 'audit', path: null, link: 'Audit', shown: table('Events, newest first') },
  {
    name: 'organisation',
    folder: 'organisation',
    path: null,
    link: 'Organisation',
    shown: (page) => page.getByText('No named key.'),
  },
  { name: 'system', folder: 'system', path: null, link: 'System', shown: table('Instances that have answered') },
  { name: 'policy lab', folder: 'policy-lab', path: null, link: 'Policy lab', shown: table('Known policies') },
];

/**
 * The console on loopback: what each page loads, how long it takes until its data is shown, the lowest contrast of its texts, and what building it
 * adds to the start. Null without a browser.
 */
export async function benchConsole(say: (line: string) => void): Promise<ConsoleBench | null> {
  const program = findBrowser();
  if (program === null) {
    say('The console is not measured: there is no Chromium on the PATH.');
    return null;
  }
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? Number.NaN,
    processors: availableParallelism(),
  };
  say(`Starts with and without the console, ${startRounds} of each…`);
  const starts = await measureStarts();
  say(`The pages of the console, ${rounds} times each…`);
  const browser = await chromium.launch({ executablePath: program, args: [...browserArguments] });
  try {
    return { ...machine, ...(await measurePages(browser)), starts };
  } finally {
    await browser.close();
  }
}

/**
 * A data folder of its own for each start, as of a newcomer. Starts without the console and later ones take turns, and each goes first as often as the
 * other; those that build it come last, because what a build leaves to be written to the disk slows the next start.
 */
const measureStarts = async (): Promise<ConsoleBench['starts']> => {
  const startOnce = async (env: NodeJS.ProcessEnv): Promise<number> => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-trust-bench-start-'));
    try {
      const { readyMs, stop } = await startByCommand(folder, env);
      await stop();
      return readyMs / 1_000;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const starts = { without: [] as number[], first: [] as number[], later: [] as number[] };
  const without = async (): Promise<unknown> => starts.without.push(await startOnce({ CONSOLE: 'off' }));
  const later = async (): Promise<unknown> => starts.later.push(await startOnce({}));
  await ensureConsole();
  for (let round = 0; round < startRounds; round += 1)
    for (const start of round % 2 === 0 ? [without, later] : [later, without]) await start();
  for (let round = 0; round < startRounds; round += 1) {
    await rm(builtFolder, { recursive: true, force: true });
    starts.first.push(await startOnce({}));
  }
  return starts;
};

/** In a registry in which the demo was played. */
const measurePages = async (browser: Browser): Promise<Pick<ConsoleBench, 'pages' | 'contrast'>> => {
  await ensureConsole();
  const stack = await startStack({ ephemeral: true, env: { ...process.env, CONSOLE: 'on' } });
  const supervisor = await openSupervisor(stack);
  try {
    const http = httpTo(stack.url);
    const operator = bearer(stack.adminToken);
    await http.post('/ops/demo', { pause_ms: 0 }, operator);
    type Demo = { state: string; steps: { kind: string; agent_id: string | null }[] };
    const demo = await waitFor(
      async () => {
        const { body } = await http.get('/ops/demo', operator);
        return (body as Demo).state === 'finished' ? (body as Demo) : undefined;
      },
      { timeoutMs: demoMsMax, description: 'the end of the demo' },
    );
    const agentId = demo.steps.findLast(({ kind }) => kind === 'reviewed')?.agent_id ?? '';
    const { key } = await createOrganisation(stack);
    const subjects = subjectsOf(agentId);
    const consoleUrl = `${stack.url}/console`;
    const manifest = readManifest();
    const pages = subjects.map(({ name, folder }) => ({
      name,
      bytes: firstPageBytes(manifest, folder),
      cold: [] as number[],
      again: [] as number[],
      opened: [] as number[],
    }));
    const contrasts: Contrast[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const loaded = subjects.flatMap(({ path, shown }, index) => (path === null ? [] : [{ index, path, shown }]));
      // Each goes first as often as the others: the first one waits for what ends with the tab before.
      const first = round % loaded.length;
      for (const { index, path, shown } of [...loaded.slice(first), ...loaded.slice(0, first)]) {
        const context = await browser.newContext({ colorScheme: round % 2 === 0 ? 'light' : 'dark' });
        const page = await context.newPage();
        const load = (): Promise<number> => timed(() => page.goto(`${consoleUrl}${path}`), shown(page));
        pages[index]?.cold.push(await load());
        pages[index]?.again.push(await load());
        if (round < 2) contrasts.push(await contrastOf(page));
        await context.close();
      }
      const context = await browser.newContext({ colorScheme: round % 2 === 0 ? 'light' : 'dark' });
      const page = await context.newPage();
      await signIn(page, `${consoleUrl}/registry#code=${supervisor.makeCode()}`, key);
      for (const [index, { link, shown }] of subjects.entries()) {
        if (link === null || link === 'Registry') continue;
        const open = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click();
        pages[index]?.opened.push(await timed(open, shown(page)));
        if (round < 2) contrasts.push(await contrastOf(page));
      }
      await context.close();
    }
    return { pages, contrast: lowestOf(contrasts) };
  } finally {
    await supervisor.stop();
    await stack.stop();
  }
};

const timed = async (begin: () => Promise<unknown>, shown: Locator): Promise<number> => {
  const began = performance.now();
  await begin();
  await shown.first().waitFor();
  return performance.now() - began;
};

/** As operator by the link, then as an organisation by its key. */
const signIn = async (page: Page, link: string, key: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole('button', { name: /^Signed in as/u }).click();
  const dialog = page.getByRole('dialog', { name: 'Who you are' });
  await dialog.getByLabel('Key').fill(key);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByRole('button', { name: 'Sign out' }).nth(1).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
};
