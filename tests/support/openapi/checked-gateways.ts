import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenApiDocument } from './careful-reader.ts';
import type { Exchange } from './exchange.ts';
import { judgeOf } from './judge.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

export type CheckedGateways = {
  /** The addresses of the gateways for tests; known before the gateways start. */
  readonly urls: readonly string[];
  /** GET returns the violations since the last GET, as an array of texts. */
  readonly violationsUrl: string;
  /** Starts to forward requests and to check the answers against the document that the first gateway serves. */
  open(gateways: readonly string[]): Promise<void>;
  /** The violations that no test has fetched yet. */
  take(): Promise<string[]>;
  stop(): void;
};

/** Proxies in front of gateways that check every answer against the OpenAPI document, whatever client sent the request. */
export async function startCheckedGateways(count: number): Promise<CheckedGateways> {
  let judge: ((exchange: Exchange) => Promise<string[]>) | undefined;
  let judged: Promise<void> = Promise.resolve();
  let violations: string[] = [];
  const onExchange = (exchange: Exchange): void => {
    const judging = judge?.(exchange).catch((error: unknown) => [
      `${exchange.method} ${exchange.target}: ${String(error)}`,
    ]);
    judged = Promise.all([judged, judging]).then(([, found]) => void violations.push(...(found ?? [])));
  };
  const take = async (): Promise<string[]> => {
    await judged;
    const taken = violations;
    violations = [];
    return taken;
  };
  const proxies: RecordingProxy[] = [];
  for (let index = 0; index < count; index += 1) proxies.push(await startRecordingProxy(onExchange));
  const taking = createServer((_request, response) => {
    // A kept connection could be closed under a test that is busy for seconds.
    response.setHeader('connection', 'close');
    void take().then((taken) => response.end(JSON.stringify(taken)));
  });
  taking.listen(0, '127.0.0.1').unref();
  await once(taking, 'listening');

  return {
    urls: proxies.map(({ url }) => url),
    violationsUrl: `http://127.0.0.1:${(taking.address() as AddressInfo).port}/`,
    open: async (gateways) => {
      const document = (await (await fetch(`${gateways[0] ?? ''}/openapi.json`)).json()) as OpenApiDocument;
      judge = await judgeOf(document);
      for (const [index, proxy] of proxies.entries()) proxy.forwardTo(gateways[index] ?? '');
    },
    take,
    stop: () => {
      for (const proxy of proxies) proxy.stop();
      taking.closeAllConnections();
      taking.close();
    },
  };
}
