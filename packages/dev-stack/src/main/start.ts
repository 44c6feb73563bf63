/** `npm start`: runs the whole system until it is stopped. */
import { relative } from 'node:path';
import { ArgumentsError, readOptions, say } from '@agent-trust/command-line';
import { ensureConsole } from '@agent-trust/console/build';
import { collectWhenIdle } from '@agent-trust/service-kit';
import { watchParent } from '../parent-watch.ts';
import { prettyLine } from '../service-log.ts';
import { oneLine, StackError } from '../stack-error.ts';
import { type Stack, startStack } from '../start-stack.ts';
import type { Supervisor } from '../supervisor/open-supervisor.ts';

const usage = 'Usage: npm start -- [--ephemeral] [--data-dir <folder>] [--port <number>]';
const help = `${usage}

Starts the whole system on this machine. Ctrl-C stops it; the next start continues with the same data.

  --ephemeral          uses a temporary data folder, and free ports unless a port is given; nothing is left afterwards
  --data-dir <folder>  keeps the data in this folder instead of DATA_DIR (.data)
  --port <number>      listens on this port instead of PORT (8080); 0: a free one
  -h, --help           shows this help

All settings are environment variables: see "Settings" in README.md, and .env.example.`;
/** One Ctrl-C may arrive twice, from the terminal and passed on by npm; a signal after this time is a second Ctrl-C. */
const sameRequestMs = 1_000;

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const readArguments = (): { ephemeral?: true; dataDir?: string; port?: number } => {
  try {
    const values = readOptions(process.argv.slice(2), {
      ephemeral: { type: 'boolean' },
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    });
    if (values.help === true) {
      say(help);
      process.exit(0);
    }
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      throw new ArgumentsError('--port must be a whole number from 0 to 65535');
    return {
      ...(values.ephemeral === true ? { ephemeral: true } : {}),
      ...(values['data-dir'] === undefined ? {} : { dataDir: values['data-dir'] }),
      ...(port === undefined ? {} : { port }),
    };
  } catch (error) {
    complain(`${oneLine(error).replace(/\.$/u, '')}. ${usage} (--help explains it)`);
    process.exit(2);
  }
};

/** Aborts the `stop` signal on Ctrl-C, SIGTERM, a closed terminal, or the death of the parent command. */
const stopRequests = (): AbortSignal => {
  const stop = new AbortController();
  let askedAt: number | undefined;
  const ask = (): void => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      stop.abort();
    } else if (Date.now() - askedAt > sameRequestMs) {
      complain('Stopping at once. The embedded servers end with this process.');
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  watchParent(() => stop.abort());
  return stop.signal;
};

/** Prints how to open the console, and serves what that needs of this process. Null if the bus has no place for it. */
const openConsole = async (stack: Stack): Promise<Supervisor | null> => {
  // Loaded after the registry is ready, so that nobody waits for it.
  const [{ openSupervisor }, { isConsoleServed, signInLink }, { limits }] = await Promise.all([
    import('../supervisor/open-supervisor.ts'),
    import('../console-links.ts'),
    import('@agent-trust/contracts'),
  ]);
  // A console that could not be built has no address.
  const isServed = await isConsoleServed(stack.url);
  if (isServed) say(`console     ${stack.baseUrl}/console`);
  try {
    const supervisor = await openSupervisor(stack);
    if (isServed) {
      say(
        `sign in     ${signInLink(stack.baseUrl, supervisor.makeCode())} (once, within ${limits.signInCodeMinutes} minutes)`,
      );
    }
    return supervisor;
  } catch (error) {
    complain(`No sign-in link and no demo in the console: ${oneLine(error)}`);
    return null;
  }
};

const { port: portOption, ...options } = readArguments();
// The stack refuses a PORT that is no number. Other throw-away stacks (those of tests and of the demo) take free ports whatever PORT says.
const port = portOption ?? (process.env['PORT'] ? Number(process.env['PORT']) : undefined);
const stopSignal = stopRequests();
// A reader that closes early (`npm start | head`) must not end the stack in the middle of its work.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const colour = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined;
const threshold = process.env['LOG_LEVEL'] || 'warn';
/** Shown when the stack is ready. A failed start explains itself in its one line, which quotes them; with LOG_LEVEL set, each is shown at once. */
let heldBack: string[] | undefined = process.env['LOG_LEVEL'] ? undefined : [];
const heldBackMax = 100;

/** The console is on here. */
const console = process.env['CONSOLE'] || 'on';
/** Without the console, the registry works as well: a build that fails is no reason not to start. */
const buildConsole = async (): Promise<void> => {
  try {
    await ensureConsole({
      onBuild: () => say('Building the console (first time, a few seconds)…'),
      signal: stopSignal,
    });
  } catch (error) {
    if (!stopSignal.aborted) complain(`${oneLine(error)} The registry starts without it.`);
  }
};

try {
  const stack = await startStack({
    ...options,
    env: { ...process.env, CONSOLE: console },
    ...(console === 'on' ? { beforeGateways: buildConsole } : {}),
    ...(port === undefined ? {} : { port }),
    signal: stopSignal,
    onProgress: say,
    onLog: (name, line) => {
      const pretty = prettyLine(name, line, threshold, colour);
      if (pretty === undefined) return;
      if (heldBack === undefined) complain(pretty);
      else if (heldBack.length < heldBackMax) heldBack.push(pretty);
    },
  });
  for (const line of heldBack ?? []) complain(line);
  heldBack = undefined;
  const short = (path: string): string => {
    const near = relative(process.cwd(), path);
    return near.startsWith('..') ? path : near;
  };
  const isOpenToOthers = !/^(127\.|::1$|localhost$)/u.test(process.env['HOST'] || '127.0.0.1');
  if (process.env['OUTBOUND_ALLOW'] === undefined && isOpenToOthers) {
    complain(
      'OUTBOUND_ALLOW is not set, so calls may reach everything on this machine, and HOST lets others in: set OUTBOUND_ALLOW (empty: nothing private)',
    );
  }
  say(`ready ${stack.url}`);
  for (const other of stack.urls.slice(1)) say(`also at     ${other}`);
  say(`interface   ${stack.url}/docs (OpenAPI: ${stack.url}/openapi.json)`);
  say(`credentials ${short(stack.secretsFile)} (ADMIN_KEY, ADMIN_TOKEN)`);
  say(`logs        ${short(`${stack.dataDir}/logs`)}`);
  const supervisor = await openConsole(stack);
  say('Ctrl-C stops it.');
  collectWhenIdle();
  if (!stopSignal.aborted)
    await new Promise((resolve) => stopSignal.addEventListener('abort', resolve, { once: true }));
  say('Stopping…');
  await supervisor?.stop();
  await stack.stop();
  say('Stopped.');
  process.exit(0);
} catch (error) {
  if (stopSignal.aborted) process.exit(0);
  complain(
    error instanceof StackError
      ? error.message
      : `The stack failed: ${error instanceof Error ? error.stack : String(error)}`,
  );
  process.exit(1);
}
