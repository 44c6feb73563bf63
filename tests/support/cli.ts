import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { stdinReader } from '../../packages/cli/src/io.ts';
import { run as runCommandLine } from '../../packages/cli/src/run.ts';
import { freshClient, gateways } from './ask.ts';
import { compileCache } from './compile-cache.ts';

const packageFolder = resolve(import.meta.dirname, '../../packages/cli');
const launcher = join(packageFolder, 'bin/agent-trust.mjs');
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
/** A command that hangs is reported before the test itself times out. */
const runTimeoutMs = 150_000;

export type Run = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
export type RunOptions = { stdin?: string; env?: Record<string, string> };

/** A request that reached the gateway. */
export type RecordedRequest = { method: string; path: string; headers: IncomingHttpHeaders };

/** A proxy in front of a gateway that gives all requests one client address, unique to this test, and records them. */
const startRecordingProxy = async (
  gateway: string,
): Promise<{ url: string; requests: RecordedRequest[]; stop: () => Promise<void> }> => {
  const requests: RecordedRequest[] = [];
  const client = freshClient();
  const server = createServer((incoming, outgoing) => {
    requests.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers });
    const onward = request(
      new URL(incoming.url ?? '/', gateway),
      { method: incoming.method, headers: { ...incoming.headers, ...client } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** A user with a separate shell: a folder, a settings folder, and `agent-trust` on the PATH. */
export type User = {
  folder: string;
  url: string;
  requests: RecordedRequest[];
  env: Record<string, string>;
  configFile: string;
  /**
   * Runs a command line inside the test's process, which takes a tenth of the time of a new process. The current folder is the test's, so
   * files need absolute paths.
   */
  run: (args: readonly string[], options?: RunOptions) => Promise<Run>;
  /** Runs a command line and parses the JSON on its standard output. Throws if the command fails. */
  json: (args: readonly string[], options?: RunOptions) => Promise<Record<string, unknown>>;
  /** Runs a script in bash. */
  bash: (script: string, options?: RunOptions) => Promise<Run>;
  /** Starts a command line as a process in the user's folder. */
  start: (args: readonly string[], options?: RunOptions) => ChildProcess;
  /** Runs a command on a pseudo-terminal; writing to its standard input types there. */
  onTerminal: (command: string, env?: Record<string, string>) => ChildProcessWithoutNullStreams;
  stop: () => Promise<void>;
};

/** Waits for a process to end and collects its output. */
export async function finished(child: ChildProcess): Promise<Run> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

export async function newUser(): Promise<User> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-trust-cli-'));
  const proxy = await startRecordingProxy(gateways[0]);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'agent-trust'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(join(bin, 'agent-trust'), 0o755);
  const env = {
    ...compileCache,
    PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'settings'),
    AGENT_TRUST_URL: proxy.url,
  };
  const launch = (command: string, args: readonly string[], { stdin, env: more }: RunOptions = {}): ChildProcess => {
    const child = spawn(command, args, { cwd: folder, env: { ...env, ...more }, timeout: runTimeoutMs });
    // A command that has ended no longer reads its standard input.
    child.stdin.on('error', () => undefined).end(stdin ?? '');
    return child;
  };
  const start = (args: readonly string[], options?: RunOptions): ChildProcess =>
    launch(process.execPath, [launcher, ...args], options);
  const run = async (args: readonly string[], { stdin = '', env: more }: RunOptions = {}): Promise<Run> => {
    let stdout = '';
    let stderr = '';
    const stop = new AbortController();
    const io = {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
      env: { ...env, ...more },
      readStdin: stdinReader(() => Readable.from([Buffer.from(stdin)])),
      stopSignal: () => stop.signal,
    };
    return { code: await runCommandLine(args, io, version), signal: null, stdout, stderr };
  };
  return {
    folder,
    url: proxy.url,
    requests: proxy.requests,
    env,
    configFile: join(folder, 'settings', 'agent-trust', 'config.json'),
    start,
    run,
    json: async (args, options) => {
      const { code, stdout, stderr } = await run([...args, '--json'], options);
      if (code !== 0) throw new Error(`agent-trust ${args.join(' ')} exited with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    bash: (script, options) => finished(launch('bash', ['--norc', '-c', script], options)),
    onTerminal: (command, more) =>
      spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env: { ...env, ...more }, timeout: runTimeoutMs }),
    stop: async () => {
      await proxy.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Awaits a command and throws unless its exit code is 0. */
export async function done(run: Promise<Run>): Promise<Run> {
  const result = await run;
  if (result.code !== 0) throw new Error(`exited with ${result.code}: ${result.stderr}${result.stdout}`);
  return result;
}
