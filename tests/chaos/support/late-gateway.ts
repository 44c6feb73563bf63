import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@agent-trust/dev-stack';
import { type FaultProxy, faultProxy } from '@agent-trust/test-kit';

export type LateGateway = { url: string; bus: FaultProxy; stop(): Promise<void> };

const mainFile = fileURLToPath(new URL('../../../services/gateway/src/main.ts', import.meta.url));

/** A gateway of the registry whose connection to the bus a test can hold up, while it answers HTTP as usual. */
export async function startLateGateway(stack: Stack): Promise<LateGateway> {
  const secrets = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as Record<string, string>;
  const bus = await faultProxy(
    stack.natsUrl.replace('//', `//gateway:${encodeURIComponent(secrets['NATS_GATEWAY_PASSWORD'] ?? '')}@`),
  );
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', mainFile], {
    env: {
      ...process.env,
      NATS_URL: bus.url,
      BASE_URL: stack.url,
      PORT: '0',
      INSTANCE_ID: 'late-gateway',
      STACK_PARENT_PIPE: '1',
      LOG_LEVEL: 'info',
      ACCESS_LINES_PER_SECOND: '0',
      ADMIN_KEY: stack.adminKey,
      ADMIN_TOKEN: stack.adminToken,
      REGISTRY_SECRET: secrets['REGISTRY_SECRET'],
      WEBHOOK_SECRET: secrets['WEBHOOK_SECRET'],
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  return {
    url,
    bus,
    stop: async () => {
      bus.resume();
      await ended(child);
      await bus.close();
    },
  };
}

/** What its line says that says that it has started; the system chose the port. */
const addressOf = async ({ stdout }: ChildProcess): Promise<string> => {
  if (stdout === null) throw new Error('the gateway has no output');
  // It must be read to its end, or the gateway would lose lines.
  const lines = createInterface({ input: stdout });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const { address } = JSON.parse(line) as { address?: unknown };
    if (typeof address === 'string') resolve(address);
  });
  lines.on('close', () => reject(new Error('the gateway ended before it had started')));
  return promise;
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};
