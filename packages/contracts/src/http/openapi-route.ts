import { z } from 'zod';
import { cacheHeaders, ifNoneMatch } from './headers.ts';
import { answer, route } from './route.ts';

export const openApiRoute = route({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describeInterface',
  summary: 'This description, as OpenAPI 3.1',
  description: 'For machines; the same is readable at /docs.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  answers: {
    200: answer(
      'The OpenAPI document.',
      z
        .looseObject({ openapi: z.string().describe('Version of OpenAPI.') })
        .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
      { openapi: '3.1.0', info: { title: 'Agent Trust Registry' } },
      { headers: cacheHeaders },
    ),
    304: {
      description: 'The document that If-None-Match names is still the current one.',
      body: null,
      headers: cacheHeaders,
    },
  },
});
