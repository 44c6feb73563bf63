import { buildOpenApi, describedRoutes, openApiRoute } from '@agent-trust/contracts';
import { aboutRegistry } from '../../about-registry.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { publicDocument } from '../../http/public-document.ts';

const answer = publicDocument((baseUrl) => buildOpenApi(describedRoutes, { ...aboutRegistry, baseUrl }));

export const openapi: Endpoint = endpoint(openApiRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway.baseUrl),
);
