import { type ImportPreview, limits } from '@agent-trust/contracts';
import type { ImportedCapabilities, CardEndpoint } from './fields-of-card.ts';
import { type Card, quoted } from './read-card.ts';
import { importLimits } from './limits.ts';

/** A card and the fields for a registration. */
export type Preview = {
  card: Card;
  endpoint: CardEndpoint;
  skills: ImportedCapabilities;
  fields: ImportPreview;
  /** What was shortened or left out for its length. */
  shortened: string[];
};

/** The next steps of an import, then what to check. */
export function importNote(preview: Preview, about: { askedHost: string; sourceUrl: string; baseUrl: string }): string {
  const remarks = remarksOn(preview, about);
  return [
    'Nothing was stored. To register this agent:',
    ...stepsFor(preview, about.baseUrl).map((step, index) => `${index + 1}. ${step}`),
    ...(remarks.length === 0 ? [] : ['Please look at this first:', ...remarks.map((remark) => `- ${remark}`)]),
  ].join('\n');
}

const stepsFor = ({ card, fields, endpoint }: Preview, baseUrl: string): string[] => [
  `Choose an agent_id, 1 to ${limits.agentIdCharsMax} characters that no other agent has${suggestedId(card.name)}.`,
  'Add a contact_email, or a public_key (Ed25519, base64url) in its place. With an organisation key neither is needed.',
  ...(fields.endpoint_url === null
    ? ['Add the endpoint_url at which the agent answers; without one nobody finds or calls it.']
    : []),
  ...(fields.capabilities.length === 0 ? ['Add capabilities, the words by which others find the agent.'] : []),
  ...(fields.org_name === null
    ? []
    : [
        `Keep org_name only if you send the key of the organisation ${quoted(fields.org_name)} in the header X-API-KEY; leave it out otherwise, or the registration is refused (403 org_fields_forbidden).`,
      ]),
  ...(endpoint.url === null ? [] : ['Add "a2a_compliant": true, so that calls reach the agent as A2A messages.']),
  `POST the fields of preview and these to ${baseUrl}/register. A 202 asks whether a capability means a known one: repeat the request with the answers in capability_confirmations.`,
  'Open the claim_link of the answer once (GET): it holds the bearer key of the agent.',
];

/** A card's name in the form of an id, if anything of it is left. */
const suggestedId = (name: string): string => {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, importLimits.quotedCharsMax)
    .replace(/-$/u, '');
  return id === '' ? '' : `, for example ${quoted(id)}`;
};

const remarksOn = (preview: Preview, { askedHost, sourceUrl }: { askedHost: string; sourceUrl: string }): string[] => {
  const { card, endpoint, skills } = preview;
  const { name, malformed, skillCount } = card;
  const unread = skillCount - card.skills.length;
  return [
    `The card calls the agent ${quoted(name)}. It has the form of A2A ${card.line}.`,
    ...(sourceUrl.startsWith('http:') ? ['The card came over http, so anybody on the way may have written it.'] : []),
    ...endpointRemarks(endpoint, askedHost),
    ...(skills.capabilities.length > 1
      ? ['The weights of the capabilities follow the order of the skills in the card; change them as they are right.']
      : []),
    ...(skills.beyond.length > 0 ? [`An agent has six capabilities at most. Left out: ${listed(skills.beyond)}.`] : []),
    ...(skills.nameless > 0
      ? [
          `Skills without an id, name or tag that fits a capability (at most ${limits.capabilityNameCharsMax} characters): ${skills.nameless}.`,
        ]
      : []),
    ...(unread > 0 ? [`Skills that were not looked at, or are no objects: ${unread}.`] : []),
    ...preview.shortened,
    ...(malformed.length > 0 ? [`Not of the type that a card has there, and left out: ${malformed.join(', ')}.`] : []),
  ];
};

const endpointRemarks = (endpoint: CardEndpoint, askedHost: string): string[] => {
  if (endpoint.url === null) return [withoutEndpoint[endpoint.because]];
  const { host, hostname, protocol } = new URL(endpoint.url);
  const isOther = hostname.replace(/\.$/u, '').replaceAll(/[[\]]/gu, '') !== askedHost;
  return [
    ...(isOther
      ? [`The endpoint is on ${host}, another host than ${askedHost}: make sure that it is the agent's.`]
      : []),
    ...(endpoint.isRelative ? ['The card names its endpoint without a host; that of the card was put before it.'] : []),
    ...(endpoint.isResolved ? [] : ["The endpoint's host has no address now; calls will fail until it has one."]),
    ...(protocol === 'http:'
      ? ['The endpoint speaks http, so messages to it can be read and changed on the way.']
      : []),
  ];
};

const withoutEndpoint: Readonly<Record<Extract<CardEndpoint, { url: null }>['because'], string>> = {
  absent: 'The card names no address.',
  other_transport: 'The card names no address for JSON-RPC over HTTP, which is what the registry speaks to agents.',
  malformed: 'The address in the card is not a whole http or https URL without user information, and was left out.',
  not_allowed:
    'The address in the card is not one that the registry may contact, a private one perhaps, and was left out.',
};

const listed = (names: readonly string[]): string => {
  const more = names.length - importLimits.namedMax;
  const shown = names.slice(0, importLimits.namedMax).map(quoted).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};
