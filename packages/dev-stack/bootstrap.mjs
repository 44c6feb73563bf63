// Runs a task of the project on a machine with nothing but Node 20 or later: installs the dependencies (including Node 24) if they are missing or
// outdated, then runs the task with that Node. Plain JavaScript and node: modules only, because nothing else is installed yet. All messages go to
// stderr, so that a task's own output can be piped.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = join(root, 'node_modules');

// For people, a type check continues from the last one; in CI it starts from nothing.
const incremental = ['--incremental', '--tsBuildInfoFile', join(modules, '.cache', 'types.tsbuildinfo')];
const staticChecks = [
  { name: 'Format', command: ['biome', 'format', '.'] },
  { name: 'Lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'Types', command: ['tsc', '--noEmit', ...(process.env.CI === 'true' ? [] : incremental)] },
  // What runs in a browser has other globals.
  { name: 'Types of the console', command: ['tsc', '--noEmit', '--project', 'packages/console'] },
];

/** The projects of vitest.config.ts in the order in which they run, each with a timeout of about three times its usual duration. */
const testProjects = [
  { name: 'unit', minutesMax: 5 },
  { name: 'integration', minutesMax: 18 },
  { name: 'e2e', minutesMax: 24 },
  { name: 'chaos', minutesMax: 32 },
];
const slowestShown = 10;
/** Whoever sees only the end of a log finds there what failed, and how each began to. */
const failuresShown = 20;
const failureLinesShown = 12;

/**
 * Larger generations: few of the many short-lived objects are alive when the young one is collected, and the old one is not collected below
 * half a gigabyte. Still larger ones take a replay of a million events above a gigabyte.
 */
const readsManyEvents = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--initial-heap-size=512'];

/** Every task: a TypeScript file to run, or steps of the tool chain. */
const tasks = {
  start: { file: 'packages/dev-stack/src/main/start.ts' },
  demo: { file: 'packages/dev-stack/src/main/demo.ts' },
  replay: { file: 'services/trust-projection/src/tools/replay/main.ts', besideStack: true, nodeFlags: readsManyEvents },
  whatif: {
    file: 'services/trust-projection/src/tools/whatif/main.ts',
    besideStack: true,
    // It has the evidence of all agents in memory, under two policies.
    nodeFlags: ['--max-old-space-size-percentage=60'],
  },
  archive: {
    file: 'services/trust-projection/src/tools/archive/main.ts',
    besideStack: true,
    inCallersFolder: true,
    nodeFlags: readsManyEvents,
  },
  backup: { file: 'services/trust-projection/src/tools/backup/main.ts', inCallersFolder: true },
  restore: { file: 'services/trust-projection/src/tools/restore/main.ts', inCallersFolder: true },
  'policy:activate': { file: 'services/trust-projection/src/tools/policy-activate/main.ts', besideStack: true },
  'secrets:rotate': { file: 'packages/dev-stack/src/main/secrets-rotate.ts' },
  'secrets:rewrap': { file: 'packages/personal-data/src/main/secrets-rewrap.ts', besideStack: true, asOwner: true },
  bench: { file: 'tests/bench/main.ts' },
  'bench:replay': { file: 'tests/bench/replay-growth.ts' },
  'agent-trust': { file: 'packages/cli/src/main/agent-trust.ts', inCallersFolder: true },
  sim: { file: 'services/trust-projection/src/tools/sim/main.ts', inCallersFolder: true },
  'sim:v2': { file: 'packages/simulation/src/main/sim-v2.ts', inCallersFolder: true },
  'sim:search': { file: 'packages/simulation/src/main/sim-search.ts' },
  'trust:score': { file: 'services/trust-projection/src/tools/trust-score/main.ts' },
  'eval:match': { file: 'services/trust-projection/src/tools/eval-match/main.ts' },
  'log:accept': {
    file: 'services/trust-projection/src/tools/log-accept/main.ts',
    besideStack: true,
    nodeFlags: readsManyEvents,
  },
  'log:roles': { file: 'packages/event-log/src/main/log-roles.ts' },
  'log:verify': { file: 'packages/log-verifier/src/main/log-verify.ts', besideStack: true, inCallersFolder: true },
  'log:witness': { file: 'packages/log-verifier/src/main/log-witness.ts', inCallersFolder: true },
  'release:fixture': { file: 'tests/release-fixture/make-fixture.ts' },
  test: { run: (args) => runSuite(args) },
  'test:long': { run: (args) => runSuite(args, { TEST_SIZE: 'long' }) },
  'test:unit': { run: (args) => runTests([{ name: 'unit', args: ['--project', 'unit', ...args] }]) },
  // The README's pictures: a test makes them on its way.
  screenshots: {
    run: (args) =>
      args.length > 0
        ? fail('Usage: npm run screenshots\n\nMakes the pictures of docs/screenshots anew. Takes no arguments.')
        : runTests([{ args: ['--project', 'e2e', 'tests/e2e/console/newcomer.test.ts'] }], {
            README_SCREENSHOTS: 'true',
          }),
  },
  'test:changed': { run: (args) => runChangedTests(args) },
  check: { run: () => runCheck() },
  'check:static': { run: () => runStaticChecks() },
};

const stampFile = join(modules, '.install-stamp');
const nodeMajorNeeded = 24;
const installTimeoutMs = 15 * 60_000;
const heartbeatMs = 15_000;
const lockPollMs = 200;
const parentPollMs = 500;
const killGraceMs = 20_000;
const outputCharsMax = 10_000_000;

const installAdvice = [
  {
    sign: /ENOSPC|No space left/,
    advice: 'The dependencies could not be installed: the disk is full. Free some space and run the command again.',
  },
  {
    sign: /OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH/,
    advice:
      'pnpm-lock.yaml does not match a package.json: run "npx pnpm install" after a change of dependencies, or get a clean copy of the project.',
  },
];

const say = (line) => process.stderr.write(`${line}\n`);
const fail = (line) => {
  say(line);
  process.exit(1);
};
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

// ---- dependencies ----

/** A hash of everything that determines what must be installed. */
const wantedStamp = () => {
  const manifests = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tests/package.json'];
  for (const group of ['packages', 'services']) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group)).sort()) manifests.push(`${group}/${name}/package.json`);
  }
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const manifest of manifests) {
    const path = join(root, manifest);
    if (existsSync(path)) hash.update(`\n${manifest}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
};

const installed = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp();

/** Holds a lock file while `work` runs, so that `npm start` and `npm test` started together install only once. */
const withInstallLock = async (work) => {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `agent-trust-install-${key}.lock`);
  let isReported = false;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch ({ code }) {
      if (code !== 'EEXIST')
        return fail(`Cannot write ${lock} (${code}): free some space, or set TMPDIR to a folder that can be written.`);
    }
    let owner = Number.NaN;
    try {
      owner = Number(readFileSync(lock, 'utf8'));
    } catch {
      // Released just now.
    }
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    else if (!isReported) {
      isReported = true;
      say('Waiting for another command that is installing the dependencies…');
    }
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
};

const install = () =>
  withInstallLock(async () => {
    if (installed()) return;
    const first = !existsSync(stampFile);
    say(
      first ? 'Installing dependencies (first time, about a minute)…' : 'Dependencies have changed: installing them…',
    );
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const pnpm = packageManager.split('+')[0];
    const started = Date.now();
    const heartbeat = setInterval(
      () => say(`  still installing (${Math.round((Date.now() - started) / 1000)} s)…`),
      heartbeatMs,
    );
    const { code, output } = await runQuietly('npx', ['--yes', pnpm, 'install', '--frozen-lockfile'], {
      env: { ...process.env, CI: 'true', npm_config_loglevel: 'warn' },
      timeout: installTimeoutMs,
    });
    clearInterval(heartbeat);
    if (code !== 0) {
      say(output.trim().split('\n').slice(-30).join('\n'));
      fail(
        installAdvice.find(({ sign }) => sign.test(output))?.advice ??
          'The dependencies could not be installed (see above). Check that the npm registry can be reached (npm config get registry) and run the command again.',
      );
    }
    writeFileSync(stampFile, wantedStamp());
    say(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
  });

// ---- processes ----

/**
 * Processes that wait for this command: npm and its shell. They may be killed without passing a signal on, and then nobody else stops the task. A
 * command started without npm may well outlive its parent.
 */
const callersNow = () => {
  if (process.env.npm_lifecycle_event === undefined) return '';
  const parent = process.ppid;
  try {
    const isShellOfNpm = readFileSync(`/proc/${parent}/cmdline`, 'utf8').includes('bootstrap.mjs');
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    const grandparent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return isShellOfNpm ? `${parent} ${grandparent}` : String(parent);
  } catch {
    return String(parent);
  }
};

/** Runs a program, passing signals on; resolves with its exit code (128 + n after signal n). After `timeout` ms it is asked to stop, later killed. */
const run = (command, args, { env, stdio, timeout, onOutput, cwd = root }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio, shell: process.platform === 'win32' });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => onOutput?.(chunk));
    let isAsked = false;
    const forward = (signal) => {
      isAsked = true;
      // On a terminal, Ctrl-C reaches the whole foreground group: passing it on would count as a second one.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const callers = callersNow();
    const orphanWatch = setInterval(() => {
      // Once: npm ends at the signal that it passes on, and a task that is asked again stops without finishing what it has.
      if (!isAsked && callersNow() !== callers) forward('SIGTERM');
    }, parentPollMs);
    const end = (signal, afterMs) => setTimeout(() => child.kill(signal), afterMs);
    const timers = timeout === undefined ? [] : [end('SIGTERM', timeout), end('SIGKILL', timeout + killGraceMs)];
    const done = (code) => {
      clearInterval(orphanWatch);
      for (const timer of timers) clearTimeout(timer);
      for (const signal of signals) process.off(signal, forward);
      resolve(code);
    };
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      done(127);
    });
    child.once('close', (code, signal) => done(signal === null ? code : 128 + (constants.signals[signal] ?? 0)));
  });

/** Runs a program without showing its output, and returns that with the exit code. */
const runQuietly = async (command, args, { stdio = ['ignore', 'pipe', 'pipe'], ...options }) => {
  let output = '';
  const onOutput = (chunk) => {
    output = (output + chunk).slice(-outputCharsMax);
  };
  const code = await run(command, args, { ...options, stdio, onOutput });
  return { code, output };
};

const nodeProgram = () =>
  Number(process.versions.node.split('.')[0]) >= nodeMajorNeeded
    ? process.execPath
    : join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The running stack's description of itself, for commands run beside it. */
const stackEnvironment = (asOwner) => {
  const file = join(resolve(root, process.env.DATA_DIR || '.data'), 'stack.json');
  try {
    const { pid, environment, ownerEnvironment } = JSON.parse(readFileSync(file, 'utf8'));
    if (!isAlive(pid)) return {};
    return asOwner === true ? { ...environment, ...ownerEnvironment } : environment;
  } catch {
    return {};
  }
};

const taskEnvironment = () => ({
  ...process.env,
  // Stripping types takes time and memory; Node caches the results if a folder is set.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compile'),
  PATH: [join(modules, '.bin'), dirname(nodeProgram()), process.env.PATH].join(delimiter),
});

// ---- checks and tests ----

const secondsSince = (startedAt) => Math.round((performance.now() - startedAt) / 100) / 10;

/** Runs format, lint and types in parallel, and shows the output of those that fail. */
const runStaticChecks = async () => {
  const codes = await Promise.all(
    staticChecks.map(async ({ name, command: [program, ...args] }) => {
      const startedAt = performance.now();
      const { code, output } = await runQuietly(program, args, { env: taskEnvironment() });
      say(`${name}: ${code === 0 ? 'ok' : 'failed'} (${secondsSince(startedAt)} s)`);
      if (code !== 0) say(output.trim());
      return code;
    }),
  );
  return codes.find((code) => code !== 0) ?? 0;
};

/** Format, lint and types, then the unit tests, even if one of the former failed. */
const runCheck = async () => {
  const code = await runStaticChecks();
  const testsCode = await runTests([{ name: 'unit', args: ['--project', 'unit'], isQuiet: true }]);
  if (code !== 0) say('Format, lint or types failed: see above.');
  return code || testsCode;
};

/** The whole suite, project after project; with arguments, the matching tests of all projects. */
const runSuite = (args, env = {}) => {
  if (args.length > 0) return runTests([{ args }], env);
  const hasLimit = env.TEST_SIZE === undefined;
  return runTests(
    testProjects.map(({ name, minutesMax }) => ({
      name,
      args: ['--project', name],
      timeout: hasLimit ? minutesMax * 60_000 : undefined,
    })),
    env,
  );
};

/** Vitest's own report of one run; null if it wrote none. A quiet run shows its output only if it fails, without the files that passed. */
const runVitest = async ({ args, timeout, command = 'run', isQuiet = false }, env) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-trust-tests-'));
  const report = join(folder, 'report.json');
  try {
    const { code, output } = await runQuietly(
      'vitest',
      [command, '--run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      { env: { ...taskEnvironment(), ...env }, timeout, stdio: isQuiet ? undefined : 'inherit' },
    );
    if (code !== 0 && isQuiet) say(output.replaceAll(/^.*✓.*\n/gmu, '').trim());
    return { code, result: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Names every failed test, and every file that could not be loaded, with the first lines of its message. */
const showFailures = (files) => {
  const failures = files.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, name);
    if (status === 'failed' && tests.length === 0) return [{ title: file, message }];
    return tests.map((test) => ({ title: `${file} > ${test.fullName}`, message: test.failureMessages.join('\n') }));
  });
  if (failures.length === 0) return;
  say('\nWhat failed:');
  for (const { title, message } of failures.slice(0, failuresShown)) {
    const lines = message.split('\n').slice(0, failureLinesShown);
    say([`  ${title}`, ...lines.map((line) => `    ${line.trimEnd()}`)].join('\n'));
  }
  if (failures.length > failuresShown) say(`  … and ${failures.length - failuresShown} more: see above.`);
};

/** Runs vitest once for each group, even if earlier groups failed, and ends with the line `N passed, N failed[, N skipped]`. */
const runTests = async (groups, env = {}) => {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const times = [];
  const files = [];
  let exitCode = 0;
  for (const group of groups) {
    const startedAt = performance.now();
    const { code, result } = await runVitest(group, env);
    const seconds = secondsSince(startedAt);
    let failed = 0;
    if (result !== null) {
      // A file that fails to load has no tests to count, but is a failure, too.
      const broken = (file) =>
        file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed');
      failed = result.numFailedTests + result.testResults.filter(broken).length;
      total.passed += result.numPassedTests;
      total.skipped += result.numPendingTests + result.numTodoTests;
      files.push(...result.testResults);
    }
    if (code !== 0 && failed === 0) failed = 1;
    total.failed += failed;
    exitCode ||= code || (failed > 0 ? 1 : 0);
    const isHung = group.timeout !== undefined && seconds * 1000 >= group.timeout;
    if (group.isQuiet) say(`Unit tests: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)`);
    times.push(`${group.name}: ${seconds} s${isHung ? `, stopped after ${group.timeout / 60_000} minutes` : ''}`);
    if (group.name === undefined && files.length === 0) say(`No test file matches ${group.args.join(' ')}.`);
  }
  if (groups.length > 1) {
    showFailures(files);
    const slowest = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
    slowest.sort((one, other) => other.seconds - one.seconds);
    say(`\nThe slowest files:`);
    for (const { name, seconds } of slowest.slice(0, slowestShown))
      say(`${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`);
    say(`\nTime of each project: ${times.join('; ')}`);
  }
  const { passed, failed, skipped } = total;
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return exitCode;
};

const isTest = (file) => file.endsWith('.test.ts');

/** The tests below the folder of a file, or below the nearest parent folder that has some: for files that no test imports, such as SQL. */
const testsNear = (file) => {
  for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) {
    if (!existsSync(join(root, folder))) continue;
    const tests = readdirSync(join(root, folder), { recursive: true }).filter(
      (test) => isTest(test) && !test.includes('node_modules'),
    );
    if (tests.length > 0) return tests.map((test) => join(folder, test));
  }
  return [];
};

/**
 * Runs the tests that the working tree affects: changed ones, unit and integration tests that import a changed file, and those beside a changed file
 * that is not TypeScript. End-to-end and chaos tests import no code that they test: only changed ones run.
 */
const runChangedTests = async (args) => {
  const gitArgs = ['status', '--porcelain', '--untracked-files=all', '--no-renames', '-z'];
  const git = await runQuietly('git', gitArgs, { env: process.env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (git.code !== 0) return git.code;
  const changed = git.output.split('\0').flatMap((line) => (line === '' ? [] : [line.slice('XY '.length)]));
  const present = changed.filter((file) => existsSync(join(root, file)));
  const whole = present.filter((file) => isTest(file) && /^tests\/(e2e|chaos)\//.test(file));
  const sources = present.filter((file) => file.endsWith('.ts') && !whole.includes(file));
  const near = changed.filter((file) => !sources.includes(file) && !whole.includes(file)).flatMap(testsNear);
  const related = [...new Set([...sources, ...near])];
  const groups = [
    {
      name: 'unit and integration',
      command: 'related',
      args: [...related, '--project', 'unit', '--project', 'integration', '--passWithNoTests', ...args],
      isEmpty: related.length === 0,
    },
    { name: 'end to end', args: [...whole, ...args], isEmpty: whole.length === 0 },
  ].filter(({ isEmpty }) => !isEmpty);
  if (groups.length === 0) say('The working tree changes nothing that a test covers.');
  return await runTests(groups);
};

const runFile = ({ file, besideStack, asOwner, nodeFlags = [], inCallersFolder }, args) => {
  if (!existsSync(join(root, file))) fail(`${file} does not exist.`);
  return run(nodeProgram(), ['--disable-warning=ExperimentalWarning', ...nodeFlags, join(root, file), ...args], {
    env: { ...(besideStack ? stackEnvironment(asOwner) : {}), ...taskEnvironment(), TASK_PARENT_FD: '3' },
    // The fourth descriptor stays open as long as this process lives, so the task notices when nobody waits for it any more.
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    // npm runs scripts in the project's folder and reports the folder of the call: a command's file names refer to the latter.
    cwd: inCallersFolder === true ? (process.env.INIT_CWD ?? process.cwd()) : root,
  });
};

// ---- main ----

const [name, ...args] = process.argv.slice(2);
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined;
if (task === undefined)
  fail(`Usage: node packages/dev-stack/bootstrap.mjs <${Object.keys(tasks).join(' | ')}> [arguments]`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or later is needed to begin with; this is ${process.version}. See https://nodejs.org`);
if (!installed()) await install();
process.exitCode = await (task.run === undefined ? runFile(task, args) : task.run(args));
