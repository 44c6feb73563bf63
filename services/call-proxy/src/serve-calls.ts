import { executeCall as contract, limits } from '@agent-trust/contracts';
import { type Rpc, RpcRefusal } from '@agent-trust/nats-rpc';
import type { CallDeps } from './call.ts';
import { executeCall } from './execute-call.ts';
import { callProxyLimits } from './limits.ts';

/** The message of a call, whole: its shape decides what is sent. The gateway bounds bodies too; this bound holds by itself. */
const readMessage = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limits.callBodyBytesMax)
      throw new RpcRefusal('payload_too_large', 'The message is larger than 10 MiB.');
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
};

/** Serves `execute_call` in the queue group of all call-proxies. */
export function serveCalls(rpc: Rpc, deps: CallDeps, carriedMax: number): Promise<void> {
  return rpc.serveStream(
    contract,
    async (context, input, body, answer) => {
      const endings: (() => void)[] = [];
      const whenOver = (end: () => void): void => void endings.push(end);
      try {
        const called = await executeCall(deps, input, () => readMessage(body), { ...context, whenOver });
        answer.head(called.head);
        for await (const chunk of called.body) await answer.write(chunk);
        return await called.trailer();
      } finally {
        for (const end of endings) end();
      }
    },
    {
      concurrentMax: carriedMax * callProxyLimits.lookedAtPerCarried,
      idleTimeoutMs: callProxyLimits.callerStallMs,
    },
  );
}
