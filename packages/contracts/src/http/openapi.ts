import { headOf, operation } from './openapi-operation.ts';
import { sharedHeaders } from './headers.ts';
import { introduction } from './openapi-introduction.ts';
import { collectSchemas, type JsonSchema } from './openapi-schemas.ts';
import type { Route } from './route.ts';
import { securitySchemes } from './security-schemes.ts';
import { tags } from './tags.ts';
import { webhookMessageOperation } from '../webhook/message-operation.ts';

export type OpenApiDocument = { openapi: '3.1.0'; [key: string]: unknown };

/**
 * The OpenAPI 3.1 document of the given routes: every request, answer, header, credential and error code, made from what the gateway
 * parses with. Pure: the same routes and address give the same document.
 */
export function buildOpenApi(
  routes: readonly Route[],
  about: { baseUrl: string; title: string; version: string },
): OpenApiDocument {
  const schemas = collectSchemas();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const described = operation(route, schemas);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: described,
      ...(route.method === 'GET' && route.withoutHead !== true ? { head: headOf(described) } : {}),
    };
  }
  return {
    openapi: '3.1.0',
    // The dialect that zod writes; without this line readers assume draft-07 or another one.
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: about.title,
      version: about.version,
      summary: 'Who an agent is, how far to trust it, and a record of every exchange.',
      description: introduction(),
      // There is no page at the address itself.
      contact: { name: 'The operator of this registry', url: `${about.baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: `${about.baseUrl}/docs`, description: 'The same as pages for people.' },
    servers: [{ url: about.baseUrl, description: 'This registry.' }],
    tags: tags.filter(({ name }) => routes.some((route) => route.tag === name)),
    paths,
    webhooks: { message: { post: webhookMessageOperation(schemas) } },
    components: {
      schemas: schemas.components,
      headers: sharedHeaders,
      examples: schemas.examples,
      securitySchemes,
    },
  };
}
