import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { errorCodeOf, type Exchange, headerOf, isJson, jsonOf, mediaTypeOf } from './exchange.ts';

type Schema = { [key: string]: unknown };
type Described = { headers?: Record<string, unknown>; content?: Record<string, { schema?: Schema }> };
type Operation = { responses: Record<string, Described> };
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Headers of HTTP itself, which no operation describes. */
const headersOfHttp = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]);
/** Error codes of the gateway before or without a route; `validation_failed` is for a path that cannot be decoded. */
const codesOfNoRoute = new Set([
  'route_not_found',
  'method_not_allowed',
  'malformed_request',
  'unknown_host',
  'validation_failed',
]);

/**
 * Checks answers as a careful reader of the OpenAPI document would, and finds what Prism overlooks: fields and headers that the document
 * does not name, an answer to HEAD with a body, an undescribed body, and errors without a route that deviate from the common error shape.
 * Returns the violations, each with its location.
 */
export function carefulReaderOf(document: OpenApiDocument): (exchange: Exchange) => string[] {
  // Strict mode rejects schemas that JSON Schema allows; Prism checks the formats.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, inside(schema)]),
  );
  ajv.addSchema({ $id: 'openapi', components: { schemas } });
  const compiled = new WeakMap<object, ValidateFunction>();
  const faultsOf = (schema: Schema, body: unknown): string[] => {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(
        JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components', '"openapi#/components')) as Schema,
      );
      compiled.set(schema, validate);
    }
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const extra = (params as { unevaluatedProperty?: string }).unevaluatedProperty;
      return `body${instancePath.replaceAll('/', '.')}: ${message ?? ''}${extra === undefined ? '' : ` (${extra})`}`;
    });
  };
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/gu, '[^/]*')}$`, 'u'),
    // A path without parameters takes precedence over one with parameters.
    rank: path.includes('{') ? 1 : 0,
    operations,
  }));
  routes.sort((one, other) => one.rank - other.rank);

  return (exchange) => {
    const { method, status, target, body } = exchange;
    const path = target.split('?', 1)[0] ?? '';
    const requested = method.toLowerCase();
    const operationOf = (named: string): Operation | undefined =>
      routes.find(({ pattern, operations }) => pattern.test(path) && operations[named])?.operations[named];
    const code = errorCodeOf(exchange);
    // A preflight (Fetch standard) is no operation: its answer is empty, or MCP's refusal of the operation that would follow.
    if (method === 'OPTIONS' && status === 204 && body.length === 0) return [];
    const before = method === 'OPTIONS' && code === null ? (operationOf('post') ?? operationOf('get')) : undefined;
    const operation = operationOf(requested) ?? before;
    if (operation === undefined) {
      if (method === 'HEAD' && status >= 400 && body.length === 0) return [];
      if (code === null || !codesOfNoRoute.has(code)) return ['no such operation'];
      return faultsOf({ $ref: '#/components/schemas/Error' }, jsonOf(exchange));
    }
    const described = operation.responses[status] ?? operation.responses['default'];
    if (described === undefined) return [`status ${status} (${code ?? 'no code'}) is not described`];
    const faults = headersOutside(described, exchange);
    const content = described.content;
    if (content === undefined) return body.length === 0 ? faults : [...faults, 'body: none is described'];
    const type = mediaTypeOf(exchange);
    const schema = content[type ?? '']?.schema ?? content['*/*']?.schema;
    if (content[type ?? ''] === undefined && content['*/*'] === undefined)
      return [...faults, `header content-type: ${headerOf(exchange, 'content-type') ?? 'none'} is not described`];
    if (schema === undefined || !isJson(exchange) || !exchange.isWhole) return faults;
    const json = jsonOf(exchange);
    // A relayed answer of an agent need not match its declared type.
    if (json === undefined) return content['*/*'] === undefined ? [...faults, 'body: is not JSON'] : faults;
    return [...faults, ...faultsOf(schema, json)];
  };
}

const headersOutside = (described: Described, { headers }: Exchange): string[] => {
  const names = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
  return headers
    .map(([name]) => name.toLowerCase())
    .filter((name) => !names.has(name) && !headersOfHttp.has(name))
    .map((name) => `header ${name}: is not described`);
};

/** The schema, closed: rejects fields that it does not name. */
const closed = (schema: unknown): unknown => {
  const opened = inside(schema);
  if (typeof opened !== 'object' || opened === null || Array.isArray(opened)) return opened;
  const names = ['properties', 'allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in opened);
  const isOpen = 'additionalProperties' in opened || 'unevaluatedProperties' in opened;
  return names && !isOpen ? { ...opened, unevaluatedProperties: false } : opened;
};

/** Closes the schemas of nested values, but not the schema itself, because others extend it. */
const inside = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema as Schema).map(([keyword, value]) => {
      if (keyword === 'properties')
        return [keyword, Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, closed(one)]))];
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, closed(value)];
      if (keyword === 'allOf' || keyword === 'anyOf' || keyword === 'oneOf')
        return [keyword, (value as unknown[]).map(inside)];
      return [keyword, value];
    }),
  );
};
