// Runs a task of the project on a machine with nothing but Node 20 or later: installs the dependencies (a Node 24 among them) when they are missing
// or out of step, then runs the task with that Node. Plain JavaScript and node: modules only, for nothing else is there yet.
// Everything said here goes to stderr, so that a task's own output can be piped.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const staticChecks = [
  { says: 'Format', command: ['biome', 'format', '.'] },
  { says: 'Lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { says: 'Types', command: ['tsc', '--noEmit'] },
];

/**
 * Of many short-lived objects few are then still alive when the young ones are looked through, which is what that costs; and the old ones are
 * first looked through when there is a gigabyte of them.
 */
const readsManyEvents = ['--min-semi-space-size=128', '--max-semi-space-size=128', '--initial-heap-size=1024'];

/** Every task: a TypeScript file to run, or steps of the tool chain. */
const tasks = {
  start: { file: 'packages/dev-stack/src/main/start.ts' },
  demo: { file: 'packages/dev-stack/src/main/demo.ts' },
  replay: { file: 'services/trust-projection/src/tools/replay/main.ts', besideStack: true, nodeFlags: readsManyEvents },
  whatif: { file: 'services/trust-projection/src/tools/whatif/main.ts', besideStack: true },
  'policy:activate': { file: 'services/trust-projection/src/tools/policy-activate/main.ts', besideStack: true },
  bench: { file: 'tests/bench/main.ts' },
  'bench:replay': { file: 'tests/bench/replay-growth.ts' },
  'agent-trust': { file: 'packages/cli/src/main/agent-trust.ts', inCallersFolder: true },
  sim: { file: 'services/trust-projection/src/tools/sim/main.ts', inCallersFolder: true },
  'trust:score': { file: 'services/trust-projection/src/tools/trust-score/main.ts' },
  'eval:match': { file: 'services/trust-projection/src/tools/eval-match/main.ts' },
  'log:verify': { file: 'packages/log-verifier/src/main/log-verify.ts', besideStack: true, inCallersFolder: true },
  'log:witness': { file: 'packages/log-verifier/src/main/log-witness.ts', inCallersFolder: true },
  test: { tests: [], says: 'Running all tests: unit, integration and end to end (a few minutes)…' },
  'test:unit': { tests: ['--project', 'unit'], says: 'Running the unit tests…' },
  check: { steps: staticChecks, tests: ['--project', 'unit'], says: 'Unit tests' },
  'check:static': { steps: staticChecks },
};

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.install-stamp');
const nodeMajorNeeded = 24;
const installTimeoutMs = 15 * 60_000;
const heartbeatMs = 15_000;
const lockPollMs = 200;
const parentPollMs = 500;
const installOutputMax = 100_000;

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

/** A hash of everything that decides what must be installed. */
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

/** Holds a lock file while `work` runs, so that `npm start` and `npm test` begun together install once. */
const withInstallLock = async (work) => {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `agent-trust-install-${key}.lock`);
  let said = false;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST')
        return fail(
          `Cannot write ${lock} (${error.code}): free some space, or set TMPDIR to a folder that can be written.`,
        );
    }
    let owner = Number.NaN;
    try {
      owner = Number(readFileSync(lock, 'utf8'));
    } catch {
      // Released at this moment.
    }
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    else if (!said) {
      said = true;
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
    let output = '';
    const code = await run('npx', ['--yes', pnpm, 'install', '--frozen-lockfile'], {
      env: { ...process.env, CI: 'true', npm_config_loglevel: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: installTimeoutMs,
      onOutput: (chunk) => {
        output = (output + chunk).slice(-installOutputMax);
      },
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
 * Who waits for this command: npm and the shell that it runs scripts in, when it was started by npm. They may be killed without passing a signal on,
 * and then nobody is left to stop the task. A command begun without npm may well outlive its parent.
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

/** Runs a program to its end, passing signals on, and answers its exit code (128 + n when signal n ended it). */
const run = (command, args, { env, stdio = ['inherit', 'inherit', 'inherit'], timeout, onOutput, cwd = root } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio, timeout, shell: process.platform === 'win32' });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => onOutput?.(chunk));
    const forward = (signal) => {
      // On a terminal, Ctrl-C reaches the whole foreground group: a second one would be taken for impatience.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const callers = callersNow();
    const orphanWatch = setInterval(() => {
      if (callersNow() !== callers) child.kill('SIGTERM');
    }, parentPollMs);
    const done = (code) => {
      clearInterval(orphanWatch);
      for (const signal of signals) process.off(signal, forward);
      resolve(code);
    };
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      done(127);
    });
    child.once('close', (code, signal) => done(signal === null ? code : 128 + (constants.signals[signal] ?? 0)));
  });

const nodeProgram = () =>
  Number(process.versions.node.split('.')[0]) >= nodeMajorNeeded
    ? process.execPath
    : join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** What the running stack says of itself, for commands run beside it. */
const stackEnvironment = () => {
  const file = join(resolve(root, process.env.DATA_DIR || '.data'), 'stack.json');
  try {
    const { pid, environment } = JSON.parse(readFileSync(file, 'utf8'));
    return isAlive(pid) ? environment : {};
  } catch {
    return {};
  }
};

const taskEnvironment = () => ({
  ...process.env,
  // Stripping types takes time and memory; the results are kept. Node does so by itself when told where.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compile'),
  PATH: [join(modules, '.bin'), dirname(nodeProgram()), process.env.PATH].join(delimiter),
});

/** Runs vitest and ends with the line `N passed, N failed`. */
const runTests = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-trust-tests-'));
  const report = join(folder, 'report.json');
  try {
    const code = await run(
      'vitest',
      ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      { env: taskEnvironment() },
    );
    let passed = 0;
    let failed = 0;
    let skipped = 0;
    if (existsSync(report)) {
      const result = JSON.parse(readFileSync(report, 'utf8'));
      passed = result.numPassedTests;
      // A file that fails to load has no tests to count, but is a failure all the same.
      failed =
        result.numFailedTests +
        result.testResults.filter(
          (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
        ).length;
      skipped = result.numPendingTests + result.numTodoTests;
    }
    if (code !== 0 && failed === 0) failed = 1;
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    return code !== 0 ? code : failed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const runTask = async (task, args) => {
  if (task.file !== undefined) {
    if (!existsSync(join(root, task.file))) fail(`${task.file} is not there.`);
    const env = { ...(task.besideStack ? stackEnvironment() : {}), ...taskEnvironment(), TASK_PARENT_FD: '3' };
    // A fourth descriptor stays open for as long as this process lives: the task can tell when nobody waits for it any more.
    const flags = ['--disable-warning=ExperimentalWarning', ...(task.nodeFlags ?? [])];
    return await run(nodeProgram(), [...flags, join(root, task.file), ...args], {
      env,
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      // npm runs scripts in the project's folder and says where it was called: the files that a command names are there.
      cwd: task.inCallersFolder === true ? (process.env.INIT_CWD ?? process.cwd()) : root,
    });
  }
  for (const { says, command } of task.steps ?? []) {
    say(`${says}: ${command.join(' ')}`);
    const code = await run(command[0], command.slice(1), { env: taskEnvironment() });
    if (code !== 0) return code;
  }
  if (task.tests === undefined) return 0;
  say(task.says);
  return await runTests([...task.tests, ...args]);
};

// ---- main ----

const [name, ...args] = process.argv.slice(2);
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined;
if (task === undefined)
  fail(`Usage: node packages/dev-stack/bootstrap.mjs <${Object.keys(tasks).join(' | ')}> [arguments]`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or later is needed to begin with; this is ${process.version}. See https://nodejs.org`);
if (!installed()) await install();
process.exitCode = await runTask(task, args);
