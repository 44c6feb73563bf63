import type { DomainError } from '@agent-trust/contracts';
import { JsonBoundsError, jsonTextOf, readJson, writeJson } from '@agent-trust/json-text';
import type { RoutableTarget } from '@agent-trust/proxy-kit';
import { type OutboundMethod, outboundLimits } from '@agent-trust/safe-fetch';
import { asksForStream, dataText, invalidMessage, type MessageEnvelope, readEnvelope } from './message.ts';
import type { OutboundPlan } from './outbound-plan.ts';

const partsPath = ['params', 'message', 'parts'];

const callMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The outbound method: the caller's choice, else the first of the agent's http_methods if it can carry a call, else POST. */
export function chooseMethod(override: 'GET' | 'POST' | null, httpMethods: string[] | null): OutboundMethod {
  return override ?? callMethods.find((method) => method === httpMethods?.[0]) ?? 'POST';
}

/** Longer than any value in an address, including spaces and escapes of JSON. */
const jsonOfValueBytesMax = outboundLimits.urlCharactersMax * 8;
/** More than any address has: each field takes at least three characters. */
const fieldsMax = outboundLimits.urlCharactersMax;

const queryText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const json = jsonTextOf(value);
  if (json === undefined) return JSON.stringify(value);
  if (json.length > jsonOfValueBytesMax) throw tooLongForQuery();
  return compact(json.toString('utf8'));
};

/**
 * JSON without spaces and needless escapes; numbers and repeated names stay as the caller wrote them. Token by token: JSON.stringify runs out
 * of stack on a value that is nested some thousand levels.
 */
const compact = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/gu, (token) =>
    token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : '',
  );

const fieldsOf = (data: Buffer): [string, unknown][] => {
  try {
    return Object.entries(readJson(data, { members: {}, others: true }, { valuesMax: fieldsMax }) as object);
  } catch (error) {
    throw error instanceof JsonBoundsError ? tooLongForQuery() : error;
  }
};

/** Appends data fields, and texts as `text`, to the endpoint's query. Refuses too much content at once: a message may have a million fields. */
const urlWithQuery = (endpointUrl: string, envelope: MessageEnvelope): string => {
  const url = new URL(endpointUrl);
  // The URL's own searchParams would write the whole query again for each field.
  const added = new URLSearchParams();
  let room = outboundLimits.urlCharactersMax - url.href.length;
  const add = (name: string, value: string): void => {
    room -= `${name}=&`.length + value.length;
    if (room < 0) throw tooLongForQuery();
    added.append(name, value);
  };
  for (const [index, part] of envelope.params.message.parts.entries()) {
    switch (part.kind) {
      case 'data':
        for (const [name, value] of fieldsOf(dataText(part.content))) add(name, queryText(value));
        break;
      case 'text':
        add('text', part.content);
        break;
      case 'file':
        throw invalidMessage([{ path: [...partsPath, index], message: 'a file part cannot be sent by GET' }]);
      default:
        part satisfies never;
    }
  }
  if (added.size > 0) url.search = url.search === '' ? added.toString() : `${url.search}&${added.toString()}`;
  // A character may take twelve in a query.
  if (url.href.length > outboundLimits.urlCharactersMax) throw tooLongForQuery();
  return url.href;
};

const tooLongForQuery = (): DomainError =>
  invalidMessage([{ path: partsPath, message: 'the content is too long to be sent by GET' }]);

/** One data part is sent as JSON, one text part as plain text, anything else as the envelope itself. */
const bodyOf = (envelope: MessageEnvelope, message: Uint8Array): { body: Uint8Array; contentType: string } => {
  const [part, ...others] = envelope.params.message.parts;
  if (part !== undefined && others.length === 0 && part.kind === 'data') {
    return { body: dataText(part.content), contentType: 'application/json' };
  }
  if (part !== undefined && others.length === 0 && part.kind === 'text') {
    return { body: Buffer.from(part.content), contentType: 'text/plain; charset=utf-8' };
  }
  // Parts in the form of A2A's SDKs have been completed; a message without any goes on as it came.
  const isCompleted = envelope.params.message.parts.some(({ kind, ...members }) => kind in members);
  return { body: isCompleted ? writeJson(envelope) : message, contentType: 'application/json' };
};

export function planPlain(
  { endpointUrl, httpMethods }: RoutableTarget,
  message: Uint8Array,
  methodOverride: 'GET' | 'POST' | null,
): OutboundPlan {
  const envelope = readEnvelope(message);
  const streaming = asksForStream(envelope);
  const httpMethod = chooseMethod(methodOverride, httpMethods);
  const plan = { httpMethod, isExchange: true, streaming };
  const accept = streaming ? 'text/event-stream, */*;q=0.5' : 'application/json, */*;q=0.5';
  if (httpMethod === 'GET')
    return { ...plan, url: urlWithQuery(endpointUrl, envelope), headers: { accept }, body: null };
  const { body, contentType } = bodyOf(envelope, message);
  return { ...plan, url: endpointUrl, headers: { accept, 'content-type': contentType }, body };
}
