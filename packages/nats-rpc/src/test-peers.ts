import { onTestFinished } from 'vitest';
import type { RpcLogger } from './limits.ts';
import { connectRpc } from './rpc.ts';
import type { Rpc, RpcOptions } from './rpc-types.ts';
import { uniqueSuffix } from './test-methods.ts';

export { bytesMethod, echoMethod } from './test-methods.ts';

/** For tests: connects, and closes when the test is over. */
export async function connectPeer(options: Omit<RpcOptions, 'instanceId'> & { instanceId?: string }): Promise<Rpc> {
  const rpc = await connectRpc({ instanceId: `i-${uniqueSuffix()}`, ...options });
  onTestFinished(() => rpc.close());
  return rpc;
}

type LogLine = { level: 'debug' | 'info' | 'warn' | 'error'; fields: Record<string, unknown>; message: string };

export function recordingLogger(): RpcLogger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields: { ...fields }, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
