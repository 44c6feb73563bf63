import { type ImportPreview, type ImportResponse, limits, orgName, text } from '@agent-trust/contracts';
import { capabilitiesOfSkills, type ImportedCapabilities } from './capabilities-of-skills.ts';
import type { CardEndpoint } from './endpoint-of-card.ts';
import { importNote } from './import-note.ts';
import type { Card } from './read-card.ts';
import { cut } from './shown-text.ts';

/** A card with what a registration can take of it. */
export type Preview = {
  card: Card;
  endpoint: CardEndpoint;
  skills: ImportedCapabilities;
  fields: ImportPreview;
  /** What was shortened or left out for its length, in words. */
  shortened: string[];
};

/** The answer to an import: fields that POST /register takes as they are, what is missing, and how to go on. */
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
  // Half of a name is another name.
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
