import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Described = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
type OpenApi = { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, object> } };

export type SeenAnswer = { method: string; path: string; status: number; contentType: string | null; text: string };

/**
 * Holds answers against the OpenAPI document: the path and method must be in it, the status must be described for them, and the body
 * must match its schema. What no route answers (404, 405, 501, broken HTTP) must have the body of an error. Answers what is wrong, or null.
 */
export const answersDescribedBy = (document: OpenApi): ((answer: SeenAnswer) => string | null) => {
  // Strict mode refuses what JSON Schema allows; formats are annotations in OpenAPI 3.1.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  const compile = (key: string, schema: object): ValidateFunction => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object,
    );
    compiled.set(key, made);
    return made;
  };
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(/[.]/gu, '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
    path,
    operations,
  }));
  const fault = (key: string, schema: object, body: unknown): string | null => {
    const validate = compile(key, schema);
    return validate(body) ? null : `${key}: ${ajv.errorsText(validate.errors)}`;
  };

  return ({ method, path, status, contentType, text }) => {
    const type = contentType?.split(';')[0] ?? '';
    if (method === 'HEAD') return text === '' ? null : 'an answer to HEAD has a body';
    if (type === 'text/event-stream' || status === 304) return null;
    if (type !== 'application/json') return `${method} ${path} answered ${status} as ${contentType ?? 'nothing'}`;
    const body: unknown = JSON.parse(text);
    const code = (body as { code?: unknown } | null)?.code;
    const bare = path.split('?', 1)[0] ?? '';
    const route = routes.find(({ pattern, operations }) => pattern.test(bare) && operations[method.toLowerCase()]);
    const isOfNoRoute = route === undefined || code === 'route_not_found' || code === 'method_not_allowed';
    if (isOfNoRoute) return fault('Error', document.components.schemas['Error'] ?? (false as never), body);
    const key = `${method} ${route.path} ${status}`;
    const described = route.operations[method.toLowerCase()]?.responses[String(status)];
    const schema = described?.content?.['application/json']?.schema;
    return schema === undefined ? `${key} (${String(code)}) is not described` : fault(key, schema, body);
  };
};
