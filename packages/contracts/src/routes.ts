import {
  agentRoute,
  matchRoute,
  redeemClaimRoute,
  registerRoute,
  registryRoute,
  requestRotationRoute,
  verifyRoute,
} from './agent/routes.ts';
import { importAgentRoute } from './agent-card/import-route.ts';
import { a2aRoute, agentCardRoute, olderAgentCardRoute } from './agent-card/routes.ts';
import { previewMatchRoute } from './agent/preview-route.ts';
import { listAgentEventsRoute, listEventsRoute } from './audit/routes.ts';
import { updateRoute } from './agent/update-route.ts';
import { promoteRoute, publishRoute, withdrawRoute } from './agent/universe-routes.ts';
import { callRoute, reviewRoute } from './exchange/routes.ts';
import { trustRoutes } from './trust/routes.ts';
import { healthRoute } from './health-route.ts';
import { docsFileRoute, docsRoute } from './http/docs-routes.ts';
import { openApiRoute } from './http/openapi-route.ts';
import type { Route } from './http/route.ts';
import { logRoutes } from './transparency/routes.ts';
import { erasePersonalDataRoute } from './personal-data/routes.ts';
import { listSettlementsRoute, payByGetRoute, payByPostRoute } from './settlement/routes.ts';
import { mcpTransportRoutes } from './mcp-transport/routes.ts';
import {
  createKeyRoute,
  getOrgAgentRoute,
  issueSandboxKeyRoute,
  listOrgAgentsRoute,
  listOrgPaymentsRoute,
  replaceOrgKeyRoute,
  revokeSandboxKeyRoute,
  whoamiRoute,
} from './organisation/routes.ts';
import { webhookRoutes } from './webhook/routes.ts';

/** Every route that works, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [
  healthRoute,
  verifyRoute,
  matchRoute,
  registryRoute,
  agentRoute,
  ...trustRoutes,
  importAgentRoute,
  registerRoute,
  updateRoute,
  requestRotationRoute,
  redeemClaimRoute,
  callRoute,
  reviewRoute,
  payByGetRoute,
  payByPostRoute,
  createKeyRoute,
  whoamiRoute,
  listOrgAgentsRoute,
  getOrgAgentRoute,
  listAgentEventsRoute,
  listOrgPaymentsRoute,
  issueSandboxKeyRoute,
  revokeSandboxKeyRoute,
  replaceOrgKeyRoute,
  ...webhookRoutes,
  publishRoute,
  withdrawRoute,
  promoteRoute,
  previewMatchRoute,
  listSettlementsRoute,
  erasePersonalDataRoute,
  listEventsRoute,
  ...logRoutes,
  agentCardRoute,
  olderAgentCardRoute,
  a2aRoute,
  openApiRoute,
  docsRoute,
  docsFileRoute,
];

/** All that the OpenAPI document describes: what the gateway's endpoints answer, and what the MCP server answers by itself. */
export const describedRoutes: readonly Route[] = [...routes, ...mcpTransportRoutes];
