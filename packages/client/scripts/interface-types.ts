import { buildOpenApi, routes } from '@agent-trust/contracts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const heading = '// Made from the contracts; change those, then run: pnpm --filter @agent-trust/client types:renew\n\n';

type Operation = {
  summary?: string;
  description?: string;
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: unknown;
  responses: unknown;
};

/** Schemas without a name: queries, and bodies of few fields. Answers have names; refusals have one shape, `Error`. */
const unnamedParts = ({ parameters = [], ...operation }: Operation): Operation => ({
  ...operation,
  parameters: parameters.filter((parameter) => parameter.in === 'query'),
  responses: {},
});

/** The TypeScript types of everything on the wire, generated from the contracts. */
export async function interfaceTypes(): Promise<string> {
  const about = { baseUrl: 'http://127.0.0.1', title: '', version: '', description: '' };
  const document = buildOpenApi(routes, about) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: Record<string, unknown>;
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations)
          // A route that is a GET without a body: it is described already.
          .filter(([method]) => method !== 'head')
          .map(([method, one]) => [method, unnamedParts(one)]),
      ),
    ]),
  );
  const { schemas } = document.components;
  const nodes = await openapiTS({ ...document, paths, components: { schemas } } as unknown as OpenAPI3, {
    // A field with a default may be left out of a request; for an answer, the schema says which fields are required.
    defaultNonNullable: false,
    silent: true,
  });
  const wanted = nodes.filter((node) => 'name' in node && ['components', 'operations'].includes(nameOf(node.name)));
  // The comment is the schema's description.
  return heading + astToString(wanted).replaceAll('@description ', '');
}

const nameOf = (name: unknown): string => (name as { text?: string } | undefined)?.text ?? '';
