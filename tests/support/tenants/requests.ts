import type { Route } from '@agent-trust/contracts';
import { z } from 'zod';
import type { Body } from '../ask.ts';
import type { Tenant } from './tenant.ts';

export type Place = 'live' | 'draft';
export type TenantRequest = {
  method: string;
  path: string;
  body: Body | undefined;
  place: Place;
  /** The parameters and fields that name something of the tenant. */
  names: readonly string[];
};

/** What a parameter or a field with such a name means of a tenant. A new name of a route is added here. */
const named = (
  tenant: Tenant,
  place: Place,
  partnerId: string,
): Readonly<Record<string, string | readonly string[]>> => {
  const { org, orgId, orgDomain, live, draft, webhookId, namedKey, transactionId, eventId, position } = tenant;
  const { agentId } = tenant[place];
  return {
    agent_id: agentId,
    agent_ids: [agentId],
    caller_agent_id: agentId,
    receiver_agent_id: partnerId,
    sandbox_agent_id: draft.agentId,
    real_agent_id: live.agentId,
    clone_from_agent_id: live.agentId,
    pull_from_agent_id: live.agentId,
    transaction_id: transactionId,
    call_ref: transactionId,
    event_id: eventId,
    from_position: position,
    webhook_id: webhookId,
    key_id: namedKey.keyId,
    alias: `alias_${orgId}`,
    domain: orgDomain,
    org_domain: orgDomain,
    org_id: orgId,
    org_name: org.name,
    org: org.name,
  };
};

/** Names that look like those of something a tenant has, and are not. */
const ofNobody = new Set(['correlation_id']);
/** Of the operator, or of a listener that its secret id alone opens: operators.test.ts, policy-lab.test.ts and cli-listen.test.ts try them. */
const ofNoTenant: ReadonlySet<string> = new Set(['listener_id', 'key', 'replay_id', 'trial_id', 'simulation_id']);

/** True if the route names nothing of a tenant. */
export function namesNoTenant({ params }: Route): boolean {
  return propertiesOf(params).some((name) => ofNoTenant.has(name));
}

const looksNamed = (name: string): boolean => /(?:^|_)(?:ids?|ref|domain)$/u.test(name) && !ofNobody.has(name);

const propertiesOf = (schema: z.ZodType | undefined): string[] => {
  if (schema === undefined) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
};

/** True if anybody may ask and no credential is read: there is nobody to mistake for another. */
export function readsNoCredential({ credentials }: Route): boolean {
  return credentials.every((one) => one === 'none');
}

/** The names of a route's parameters and fields that need a value of a tenant and have none in `named`. */
export function unfilled(route: Route, tenant: Tenant): string[] {
  if (readsNoCredential(route) || namesNoTenant(route)) return [];
  const known = named(tenant, 'live', '');
  const asked = [...propertiesOf(route.query), ...propertiesOf(route.body)].filter(looksNamed);
  return [...propertiesOf(route.params), ...asked].filter((name) => known[name] === undefined);
}

/**
 * Requests of a route that name a tenant's things: each example of its body with the tenant's names in it, and the same with each further
 * parameter or field that can name something.
 */
export function requestsFor(route: Route, tenant: Tenant, partnerId: string): TenantRequest[] {
  const examples = Object.values(route.bodyExamples ?? {}).map(({ value }) => value as Body);
  const bodies = route.body === undefined ? [undefined] : examples;
  return (['live', 'draft'] as const).flatMap((place) => {
    const all = named(tenant, place, partnerId);
    // An exchange is named by its caller, to review it, or with an agent that was reviewed.
    const isToReview = propertiesOf(route.body).includes('caller_agent_id');
    const values = isToReview ? all : { ...all, transaction_id: tenant.reviewedTransactionId };
    const inPath = propertiesOf(route.params);
    const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(String(values[name])));
    const inQuery = propertiesOf(route.query).filter((name) => values[name] !== undefined);
    return bodies.flatMap((example) => {
      const body = example && withNames(example, values);
      const inBody = Object.keys(example ?? {}).filter((name) => values[name] !== undefined);
      const request = { method: route.method, path, body, place, names: [...inPath, ...inBody] };
      const further = propertiesOf(route.body).filter((name) => values[name] !== undefined && !inBody.includes(name));
      return [
        request,
        ...further.map((name) => ({
          ...request,
          body: { ...body, [name]: values[name] },
          names: [...request.names, name],
        })),
        ...inQuery.map((name) => ({
          ...request,
          path: `${path}?${name}=${encodeURIComponent(String(values[name]))}`,
          names: [...request.names, name],
        })),
      ];
    });
  });
}

const withNames = (example: Body, values: ReturnType<typeof named>): Body =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, values[name] ?? value]));
