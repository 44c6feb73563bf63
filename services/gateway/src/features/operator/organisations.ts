import {
  disableOrganisation,
  disableOrganisationRoute,
  enableOrganisation,
  enableOrganisationRoute,
  type OrganisationDisabledWire,
  type OrganisationEnabledWire,
  type OrganisationKeysReissuedWire,
  reissueOrganisationKeys,
  reissueOrganisationKeysRoute,
} from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import { mintOrganisationKeys } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const disable = endpoint(disableOrganisationRoute, ({ params, body, actor, request }, gateway) => {
  const input = { organisation: params.org_id, reason: body.reason, actor };
  return write(
    gateway,
    request,
    disableOrganisation,
    input,
    ({ orgId, orgName, reason, disabledAt }) =>
      ({
        org_id: orgId,
        org_name: orgName,
        status: 'disabled',
        reason,
        disabled_at: disabledAt,
      }) satisfies OrganisationDisabledWire,
  );
});

const enable = endpoint(enableOrganisationRoute, ({ params, body, actor, request }, gateway) => {
  const input = { organisation: params.org_id, reason: body.reason, actor };
  return write(
    gateway,
    request,
    enableOrganisation,
    input,
    ({ orgId, orgName }) => ({ org_id: orgId, org_name: orgName, status: 'enabled' }) satisfies OrganisationEnabledWire,
  );
});

const reissueKeys = endpoint(reissueOrganisationKeysRoute, ({ params, body, actor, request }, gateway) => {
  const { keys, hashes } = mintOrganisationKeys();
  const input = { organisation: params.org_id, reason: body.reason, ...hashes, actor };
  return write(
    gateway,
    request,
    reissueOrganisationKeys,
    input,
    ({ orgId, orgName, reissuedAt }) =>
      ({ org_id: orgId, org_name: orgName, ...keys, reissued_at: reissuedAt }) satisfies OrganisationKeysReissuedWire,
    {
      fields: keys,
      whileBehind: keys,
      advice: 'it is not known whether the keys were replaced: try these, or repeat the request',
    },
  );
});

export const operatorOrganisationEndpoints: readonly Endpoint[] = [disable, enable, reissueKeys];
