import {
  busMethods,
  DomainError,
  type ErrorCode,
  type StreamMethod,
  type UnaryMethod,
  refusalOf,
} from '@agent-trust/contracts';
import { NotVisibleError } from '@agent-trust/edge-replica/bus';
import {
  type CallContext,
  type JsonValue,
  type Rpc,
  RpcRefusal,
  type StreamAnswer,
  connectRpc,
} from '@agent-trust/nats-rpc';
import type { z } from 'zod';

/** The inputs that services got, by method name, in order. */
export type Asked = { method: string; input: unknown; correlationId: string };

type UnaryAnswer = (input: never, context: CallContext) => unknown;
type StreamAnswerer = (
  input: never,
  body: AsyncIterable<Uint8Array>,
  answer: StreamAnswer<never>,
  context: CallContext,
) => Promise<unknown>;

/** The other services of a gateway under test, over a real bus, answering as each test defines. */
export type FakeBus = {
  readonly asked: Asked[];
  answer<Method extends UnaryMethod>(
    method: Method,
    handler: (
      input: z.output<Method['input']>,
      context: CallContext,
    ) => z.input<Method['output']> | Promise<z.input<Method['output']>>,
  ): void;
  answerStream<Method extends StreamMethod>(
    method: Method,
    handler: (
      input: z.output<Method['input']>,
      body: AsyncIterable<Uint8Array>,
      answer: StreamAnswer<Method>,
      context: CallContext,
    ) => Promise<z.input<Method['trailer']>>,
  ): void;
  /** Positions that the gateway has waited for, until readers see them. */
  readonly awaited: string[];
  /** How such a wait ends. */
  answerWaits(handler: (position: bigint) => Promise<void>): void;
  /** The gateway's wait. */
  untilVisible: (position: bigint) => Promise<void>;
  /** Inputs of all calls of one method so far. */
  inputsOf<Method extends UnaryMethod>(method: Method): z.output<Method['input']>[];
  close(): Promise<void>;
};

export function refusal(code: ErrorCode, detail: string, data?: JsonValue): RpcRefusal {
  return new RpcRefusal(code, detail, data === undefined ? {} : { data });
}

/** For `answerWaits`: readers are behind. */
export function behind(position: bigint): Promise<void> {
  return Promise.reject(new NotVisibleError('timeout', position));
}

export async function startFakeBus(natsUrl: string): Promise<FakeBus> {
  const unary = new Map<string, UnaryAnswer>();
  const streams = new Map<string, StreamAnswerer>();
  const asked: Asked[] = [];
  const awaited: string[] = [];
  let wait: (position: bigint) => Promise<void> = () => Promise.resolve();
  const services = new Map<string, Rpc>();
  const serviceOf = async (service: string): Promise<Rpc> => {
    const known = services.get(service);
    if (known !== undefined) return known;
    const rpc = await connectRpc({ natsUrl, service, instanceId: 'fake', toRefusal });
    services.set(service, rpc);
    return rpc;
  };
  const serveUnary = (rpc: Rpc, method: UnaryMethod): Promise<void> =>
    rpc.serve(method, async (input, context) => {
      asked.push({ method: method.method, input, correlationId: context.correlationId });
      const handler = unary.get(method.method);
      if (handler === undefined) throw new Error(`the test has no answer for ${method.method}`);
      return (await handler(input as never, context)) as never;
    });
  const serveStream = (rpc: Rpc, method: StreamMethod): Promise<void> =>
    rpc.serveStream(method, async (context, input, body, answer) => {
      asked.push({ method: method.method, input, correlationId: context.correlationId });
      const handler = streams.get(method.method);
      if (handler === undefined) throw new Error(`the test has no answer for ${method.method}`);
      return (await handler(input as never, body, answer as never, context)) as never;
    });
  for (const method of busMethods) {
    const rpc = await serviceOf(method.service);
    await (method.kind === 'unary' ? serveUnary(rpc, method) : serveStream(rpc, method));
  }
  return {
    asked,
    answer: (method, handler) => void unary.set(method.method, handler as unknown as UnaryAnswer),
    answerStream: (method, handler) => void streams.set(method.method, handler as unknown as StreamAnswerer),
    awaited,
    answerWaits: (handler) => void (wait = handler),
    untilVisible: (position) => {
      awaited.push(String(position));
      return wait(position);
    },
    inputsOf: (method) => asked.filter((call) => call.method === method.method).map((call) => call.input) as never,
    close: async () => {
      for (const rpc of services.values()) await rpc.close();
    },
  };
}

const toRefusal = (error: unknown) => (error instanceof DomainError ? refusalOf(error) : null);
