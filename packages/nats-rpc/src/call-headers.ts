import { randomUUID } from 'node:crypto';
import { headers, type MsgHdrs } from '@nats-io/nats-core';

/** Identifies the actor by kind and id of the credential. Never the credential itself. */
export type Actor = { kind: string; id: string | null };

/** Sent with every call; a handler passes it on by spreading it into the options of its own calls. */
export type CallOrigin = {
  /** The request id that the client saw. One is generated if none is given. */
  correlationId?: string | undefined;
  actor?: Actor | undefined;
  /** W3C trace context, for processes without a registered OpenTelemetry SDK. */
  traceparent?: string | undefined;
};

const printable = /^[\x20-\x7e]{1,128}$/;
/** Valid by W3C Trace Context, §3.2.2: with another one, a service that asks for a trace would begin one of its own. */
const traceparentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** JSON in ASCII, because an actor's id may contain any Unicode and a header may not. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Headers of a call. Throws TypeError for a correlation id that is not 1–128 printable ASCII characters. */
export function callHeaders(
  origin: CallOrigin,
  timeoutMs: number,
  traceCarrier: Readonly<Record<string, string>>,
): MsgHdrs {
  const result = headers();
  const correlationId = origin.correlationId ?? randomUUID();
  if (!printable.test(correlationId)) throw new TypeError('correlationId must be 1 to 128 printable ASCII characters');
  result.append('correlation-id', correlationId);
  result.append('timeout-ms', String(Math.ceil(timeoutMs)));
  if (origin.actor) result.append('actor', asciiJson({ kind: origin.actor.kind, id: origin.actor.id }));
  for (const name in traceCarrier) result.append(name, traceCarrier[name] ?? '');
  return result;
}

export type ReceivedCall = {
  correlationId: string;
  actor: Actor | undefined;
  traceparent: string | undefined;
  tracestate: string | undefined;
  timeoutMs: number | undefined;
};

const parseActor = (text: string): Actor | undefined => {
  if (text === '') return undefined;
  try {
    const value = JSON.parse(text) as Partial<Actor> | null;
    if (typeof value?.kind !== 'string') return undefined;
    return { kind: value.kind, id: typeof value.id === 'string' ? value.id : null };
  } catch {
    return undefined;
  }
};

/** Reads the headers of a call; missing or malformed fields are left out, and a correlation id is generated. */
export function readCallHeaders(received: MsgHdrs | undefined): ReceivedCall {
  const get = (name: string): string => received?.get(name) ?? '';
  const correlationId = get('correlation-id');
  const traceparent = get('traceparent');
  const timeoutMs = Number(get('timeout-ms'));
  return {
    correlationId: printable.test(correlationId) ? correlationId : randomUUID(),
    actor: parseActor(get('actor')),
    traceparent: traceparentPattern.test(traceparent) ? traceparent : undefined,
    tracestate: get('tracestate') || undefined,
    timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : undefined,
  };
}
