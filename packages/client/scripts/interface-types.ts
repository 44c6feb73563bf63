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

/** What has no name of its own: queries, and bodies of few fields. Answers have names; refusals have one shape, `Error`. */
const unnamedParts = ({ parameters = [], ...operation }: Operation): Operation => ({
  ...operation,
  parameters: parameters.filter((parameter) => parameter.in === 'query'),
  responses: {},
});

/** The TypeScript of everything that goes over the wire, as the contracts describe it. */
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
          // A GET without its body: nothing to describe twice.
          .filter(([method]) => method !== 'head')
          .map(([method, one]) => [method, unnamedParts(one)]),
      ),
    ]),
  );
  const { schemas } = document.components;
  const nodes = await openapiTS({ ...document, paths, components: { schemas } } as unknown as OpenAPI3, {
    // A field with a default may be left out of a request; an answer's fields are required by their own word.
    defaultNonNullable: false,
    silent: true,
  });
  const wanted = nodes.filter((node) => 'name' in node && ['components', 'operations'].includes(nameOf(node.name)));
  // A comment's own text is its description.
  return heading + astToString(wanted).replaceAll('@description ', '');
}

const nameOf = (name: unknown): string => (name as { text?: string } | undefined)?.text ?? '';
