import {
  explainRecord,
  findOrganisation,
  findOrganisationRoute,
  foundOrganisation,
  getRecordHistory,
  organisationRecord,
  organisationRecordRoute,
  recordHistory,
  recordHistoryRoute,
  toWire,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';
import { asOfText } from './trust.ts';

const find = endpoint(findOrganisationRoute, async ({ query, request }, gateway) =>
  toWire(foundOrganisation, await ask(gateway, request, findOrganisation, { orgName: query.org_name })),
);

const record = endpoint(organisationRecordRoute, async ({ params, query, request, reply }, gateway) => {
  const { as_of: asOf = null, limit, offset } = query;
  const { org_id: orgId } = params;
  const found = await ask(gateway, request, explainRecord, { orgId, asOf, limit, offset });
  const total = Math.max(found.reviewsTotal, found.standing?.reviewsTotal ?? 0);
  const address = `${gateway.baseUrl}/organisation/${encodeURIComponent(orgId)}/record`;
  setPageHeaders(reply, address, { limit, offset, ...(asOf === null ? {} : { as_of: asOfText(asOf) }) }, total);
  return toWire(organisationRecord, found);
});

const history = endpoint(recordHistoryRoute, async ({ params, query, request, reply }, gateway) => {
  const { org_id: orgId } = params;
  const { total, ...found } = await ask(gateway, request, getRecordHistory, { orgId, ...query });
  setPageHeaders(reply, `${gateway.baseUrl}/organisation/${encodeURIComponent(orgId)}/record/history`, query, total);
  return toWire(recordHistory, found);
});

export const organisationRecordEndpoints: readonly Endpoint[] = [find, record, history];
