import { fieldsOf, type RouteTool, type ToolArguments } from '@agent-trust/contracts';
import type { z } from 'zod';
import { parse } from '../../../http/validation.ts';
import type { RouteRequest } from '../invoke-route.ts';

/**
 * The request that a tool's arguments make. What becomes a path, a query or a header is checked here, where it still has its type; the body is the
 * route's to check. Arguments that nothing knows are left out, as unknown fields of bodies are.
 *
 * @throws DomainError validation_failed, with places in the arguments.
 */
export function toRouteRequest(tool: RouteTool, given: ToolArguments): RouteRequest {
  if (tool.extra !== undefined) parse('arguments', tool.extra, given);
  const values = tool.toRoute?.(given) ?? given;
  const { params, query, body } = tool.route;
  const headers = Object.entries(tool.headers ?? {}).flatMap(([argument, header]) => {
    const value = given[argument];
    return typeof value === 'string' ? [[header.toLowerCase(), value] as const] : [];
  });
  return {
    ...(params === undefined ? {} : { params: checked(params, picked(fieldsOf(params), values)) }),
    ...(query === undefined ? {} : { query: checked(query, asTexts(picked(fieldsOf(query), values))) }),
    ...(body === undefined ? {} : { body: picked(fieldsOf(body), values) }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

/** In a query everything is text. */
const asTexts = (fields: ToolArguments): ToolArguments =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );

/** Fields as they are, once they are known to be what the route takes. */
const checked = (schema: z.ZodType, fields: ToolArguments): Record<string, string> => {
  parse('arguments', schema, fields);
  return fields as Record<string, string>;
};

const picked = (fields: readonly string[], values: ToolArguments): ToolArguments =>
  Object.fromEntries(fields.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
