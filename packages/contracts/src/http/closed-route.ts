import { type OpenSetting, type Route, route } from './route.ts';

/** Any one of these is enough: what the caller may then see or do is still for the route to say. */
const whoeverIsKnown = ['organisation', 'agent', 'signature', 'admin_token', 'operator'] as const;

/** A route as it is while its setting is off: the same, but its callers must be known. */
export function closedRoute(open: Route): Route {
  return route({
    ...open,
    credentials: [...whoeverIsKnown],
    operatorRole: open.operatorRole ?? 'viewer',
    ...(open.severalCredentials === undefined ? { severalCredentials: 'check_all' } : {}),
  });
}

/** Routes as they are under the given settings. */
export function routesUnder(settings: Readonly<Record<OpenSetting, boolean>>, routes: readonly Route[]): Route[] {
  return routes.map((one) => (one.closedBy === undefined || settings[one.closedBy] ? one : closedRoute(one)));
}
