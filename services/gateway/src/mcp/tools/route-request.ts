import { fieldsOf, type RouteTool, type ToolArguments } from '@agent-trust/contracts';
import type { z } from 'zod';
import { parse } from '../../http/validation.ts';
import type { RouteRequest } from '../invoke-route.ts';

/**
 * The request that a tool's arguments make. What becomes a path, a query or a header is checked here, where it still has its type; the body is the
 * route's to check. Arguments that nothing knows are left out, as unknown fields of bodies are.
 *
 * @throws DomainError validation_failed, with places in the arguments.
 */
export const toRouteRequest = (tool: RouteTool, given: ToolArguments): RouteRequest => {
  if (tool.extra !== undefined) parse('arguments', tool.extra, given);
  const values = tool.toRoute?.(given) ?? given;
  const { params, query, body } = tool.route;
  const headers = Object.entries(tool.headers ?? {}).flatMap(([argument, header]) => {
    const value = given[argument];
    return typeof value === 'string' ? [[header.toLowerCase(), value] as const] : [];
  });
  return {
    ...(params === undefined ? {} : { params: texts(params, values) }),
    ...(query === undefined ? {} : { query: texts(query, values) }),
    ...(body === undefined ? {} : { body: picked(fieldsOf(body), values) }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
};

/** Fields as they stand in a URL, where everything is text. */
const texts = (schema: z.ZodType, values: ToolArguments): Record<string, string> => {
  const fields = Object.fromEntries(
    Object.entries(picked(fieldsOf(schema), values)).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
  parse('arguments', schema, fields);
  return fields as Record<string, string>;
};

const picked = (fields: readonly string[], values: ToolArguments): ToolArguments =>
  Object.fromEntries(fields.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
