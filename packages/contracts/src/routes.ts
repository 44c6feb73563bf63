import { getActivityRoute } from './activity/route.ts';
import { importAgentRoute } from './agent-card/import-route.ts';
import { agentCardRoutes } from './agent-card/routes.ts';
import { previewMatchRoute } from './agent/preview-route.ts';
import { agentRoutes } from './agent/routes.ts';
import { universeRoutes } from './agent/universe-routes.ts';
import { updateRoute } from './agent/update-route.ts';
import { auditRoutes } from './audit/routes.ts';
import { listCapabilitiesRoute } from './capability/list-route.ts';
import { capabilityRoutes } from './capability/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import { exchangeRoutes } from './exchange/routes.ts';
import { healthRoute } from './health-route.ts';
import { consoleRoutes } from './http/console-routes.ts';
import { docsRoutes, openApiRoute } from './http/docs-routes.ts';
import type { Route } from './http/route.ts';
import { mcpTransportRoutes } from './mcp-transport/routes.ts';
import { organisationKeyRoutes } from './organisation-key/routes.ts';
import { operatorKeyRoutes } from './operator-key/routes.ts';
import { operationsRoutes } from './operations/routes.ts';
import { policyLabRoutes } from './policy-lab/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { orgDomainRoutes } from './org-domain/routes.ts';
import { organisationRoutes } from './organisation/routes.ts';
import { erasePersonalDataRoute } from './personal-data/routes.ts';
import { quotaRoutes } from './quota/routes.ts';
import { settlementRoutes } from './settlement/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { logRoutes } from './transparency/routes.ts';
import { organisationRecordRoutes } from './trust/organisation-record-routes.ts';
import { trustRoutes } from './trust/routes.ts';
import { operatorWebhookRoutes } from './webhook/operator-routes.ts';
import { webhookRoutes } from './webhook/routes.ts';

/** Every route that works, in the order of the OpenAPI document. A slice lists its own, so a new route of a slice changes nothing here. */
export const routes: readonly Route[] = [
  healthRoute,
  ...agentRoutes,
  updateRoute,
  importAgentRoute,
  listCapabilitiesRoute,
  getActivityRoute,
  ...trustRoutes,
  ...organisationRecordRoutes,
  ...exchangeRoutes,
  ...settlementRoutes,
  ...organisationRoutes,
  ...organisationKeyRoutes,
  ...orgDomainRoutes,
  ...capabilityRoutes,
  ...webhookRoutes,
  ...universeRoutes,
  previewMatchRoute,
  ...auditRoutes,
  erasePersonalDataRoute,
  ...operatorRoutes,
  ...quotaRoutes,
  ...operatorKeyRoutes,
  ...signInRoutes,
  ...operationsRoutes,
  ...operatorWebhookRoutes,
  ...demoRoutes,
  ...policyLabRoutes,
  ...logRoutes,
  ...agentCardRoutes,
  openApiRoute,
  ...docsRoutes,
  ...consoleRoutes,
];

/** All that the OpenAPI document describes: what the gateway's endpoints answer, and what the MCP server answers by itself. */
export const describedRoutes: readonly Route[] = [...routes, ...mcpTransportRoutes];
