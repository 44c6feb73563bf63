import { importAgentRoute, type ImportResponse, limits, orgName, text } from '@agent-trust/contracts';
import { readAskedDomain, findCard } from './find-card.ts';
import { capabilitiesOfSkills, type CardEndpoint, endpointOfCard } from './fields-of-card.ts';
import { importNote, type Preview } from './import-note.ts';
import { type Card, cut } from './read-card.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

/** Stores nothing: each import asks the domain again. */
export const importAgent: Endpoint = endpoint(
  importAgentRoute,
  async ({ body, request, reply }, gateway) => {
    const domain = readAskedDomain(body.domain_url);
    const gone = clientGone(reply);
    const release = await gateway.imports.enter(clientOf(request.ip), gone);
    try {
      const { card, sourceUrl } = await findCard(gateway, domain, gone);
      const found = await endpointOfCard(card.interfaces, sourceUrl, gateway.checkTarget);
      return importedFrom(card, found, { askedHost: domain.host, sourceUrl, baseUrl: gateway.baseUrl });
    } finally {
      release();
    }
  },
  // Every request of an address counts: anybody may send them, and each makes the registry contact another server.
  { admit: (request, _reply, gateway) => gateway.importLimiter.take(`import ${clientOf(request.ip)}`) },
);

/** The answer to an import: fields for POST /register, what is missing, and the next steps. */
export function importedFrom(
  card: Card,
  endpoint: CardEndpoint,
  about: { askedHost: string; sourceUrl: string; baseUrl: string },
): ImportResponse {
  const preview = previewOf(card, endpoint);
  const { fields } = preview;
  return {
    source_url: about.sourceUrl,
    preview: fields,
    missing_fields: [
      'agent_id',
      'contact_email',
      ...(fields.endpoint_url === null ? ['endpoint_url'] : []),
      ...(fields.capabilities.length === 0 ? ['capabilities'] : []),
    ],
    note: importNote(preview, about),
  };
}

const previewOf = (card: Card, endpoint: CardEndpoint): Preview => {
  const skills = capabilitiesOfSkills(card.skills);
  // A shortened name would be another name.
  const organization = orgName.safeParse(card.organization);
  const { description } = card;
  const isLong = description !== null && !text().safeParse(description).success;
  return {
    card,
    endpoint,
    skills,
    fields: {
      org_name: organization.success ? organization.data : null,
      specialty: description === null ? null : cut(description, limits.freeTextCharsMax),
      endpoint_url: endpoint.url,
      capabilities: skills.capabilities,
    },
    shortened: [
      ...(card.organization !== null && !organization.success
        ? [`The name of the organisation has more than ${limits.orgNameCharsMax} characters and was left out.`]
        : []),
      ...(isLong ? [`The description was cut to ${limits.freeTextCharsMax} characters.`] : []),
    ],
  };
};
