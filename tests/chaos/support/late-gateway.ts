import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@agent-trust/dev-stack';
import { freePort } from '@agent-trust/embedded-servers';
import { type FaultProxy, faultProxy, waitFor } from '@agent-trust/test-kit';

export type LateGateway = { url: string; bus: FaultProxy; stop(): Promise<void> };

const mainFile = fileURLToPath(new URL('../../../services/gateway/src/main.ts', import.meta.url));

/** A gateway of the registry whose connection to the bus a test can hold up, while it answers HTTP as usual. */
export async function startLateGateway(stack: Stack): Promise<LateGateway> {
  const secrets = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as Record<string, string>;
  const bus = await faultProxy(
    stack.natsUrl.replace('//', `//gateway:${encodeURIComponent(secrets['NATS_GATEWAY_PASSWORD'] ?? '')}@`),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', mainFile], {
    env: {
      ...process.env,
      NATS_URL: bus.url,
      BASE_URL: stack.url,
      PORT: String(port),
      INSTANCE_ID: 'late-gateway',
      STACK_PARENT_PIPE: '1',
      LOG_LEVEL: 'fatal',
      ADMIN_KEY: stack.adminKey,
      ADMIN_TOKEN: stack.adminToken,
      REGISTRY_SECRET: secrets['REGISTRY_SECRET'],
      WEBHOOK_SECRET: secrets['WEBHOOK_SECRET'],
    },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the gateway ended with exit code ${child.exitCode}`);
    return fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await waitFor(isUp, { description: 'the late gateway' });
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

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};
