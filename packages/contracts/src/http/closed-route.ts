import { type Route, route } from './route.ts';

/** Any one of these is enough: what the caller may then see or do is still for the route to say. */
const whoeverIsKnown = ['organisation', 'agent', 'signature', 'admin_token', 'operator'] as const;

/** A route as it is while its setting is off: the same, but its callers must be known. */
export function closedRoute(open: Route): Route {
  return route({
    ...open,
    credentials: [...whoeverIsKnown],
    operatorRole: open.operatorRole ?? 'viewer',
    organisationScope: open.organisationScope ?? (open.closedBy === 'OPEN_REGISTRATION' ? 'register' : 'read'),
    ...(open.severalCredentials === undefined ? { severalCredentials: 'check_all' } : {}),
  });
}

/** The settings that decide which routes are open. */
export type OpenSettings = {
  readonly PUBLIC_READS: boolean;
  readonly OPEN_REGISTRATION: boolean;
  readonly CLAIM_DELIVERY: 'inline' | 'inline-unowned' | 'smtp';
};

/** Whether callers without a credential are refused. */
export function isClosed({ closedBy }: Pick<Route, 'closedBy'>, settings: OpenSettings): boolean {
  switch (closedBy) {
    case undefined:
      return false;
    case 'PUBLIC_READS':
    case 'OPEN_REGISTRATION':
      return !settings[closedBy];
    case 'claims_in_answers':
      // Whoever got a link in the answer would have the key of an agent, and so a credential for everything that is closed.
      return settings.CLAIM_DELIVERY !== 'smtp' && !(settings.PUBLIC_READS && settings.OPEN_REGISTRATION);
    default:
      return closedBy satisfies never;
  }
}

/** Routes as they are under the given settings. */
export function routesUnder(settings: OpenSettings, routes: readonly Route[]): Route[] {
  return routes.map((one) => (isClosed(one, settings) ? closedRoute(one) : one));
}
