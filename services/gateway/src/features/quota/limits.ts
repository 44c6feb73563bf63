import {
  getOrganisationLimitsRoute,
  organisationLimits,
  setOrganisationLimits,
  setOrganisationLimitsRoute,
  toWire,
} from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { limitsOf } from './usage.ts';

const set = endpoint(setOrganisationLimitsRoute, async ({ params, body, actor, request }, gateway) => {
  const { calls_per_day: callsPerDay, registrations_per_day: registrationsPerDay, reads_per_day: readsPerDay } = body;
  const { orgId, position } = await command(gateway, request, setOrganisationLimits, {
    organisation: params.org_id,
    limits: { callsPerDay, registrationsPerDay, readsPerDay },
    reason: body.reason,
    actor,
  });
  // Until then some gateway may still hold the limits that were.
  await untilReadable(gateway, position);
  return toWire(organisationLimits, await limitsOf(gateway, request, orgId));
});

const get = endpoint(getOrganisationLimitsRoute, async ({ params, request }, gateway) =>
  toWire(organisationLimits, await limitsOf(gateway, request, params.org_id)),
);

export const limitEndpoints: readonly Endpoint[] = [set, get];
