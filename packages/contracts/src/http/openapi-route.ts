import { z } from 'zod';
import { route } from './route.ts';

export const openApiRoute = route({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describeInterface',
  summary: 'This description, as OpenAPI 3.1',
  tag: 'Operations',
  credentials: ['none'],
  answers: {
    200: {
      description: 'The OpenAPI document.',
      body: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
      headers: { ETag: 'Changes with the document.', 'Cache-Control': 'How long it may be kept.' },
    },
    304: { description: 'The document that If-None-Match names is still the current one.', body: null },
  },
  errors: [],
});
