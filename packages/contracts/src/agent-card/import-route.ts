import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';

export const importRequest = z
  .object({
    domain_url: text(limits.endpointUrlCharsMax, 1).meta({
      description:
        'A domain with an optional port, or an http or https URL, of which only the host counts. No user information.',
      examples: ['agents.example.com'],
    }),
  })
  .meta({ id: 'ImportRequest', description: 'The domain whose card to read.' });

/** The fields of a registration that a card has; null or empty if it has none. */
export const importPreview = z
  .object({
    org_name: z
      .string()
      .max(limits.orgNameCharsMax)
      .nullable()
      .describe("The card's `provider.organization`. Registering it needs the organisation's key."),
    specialty: z.string().max(limits.freeTextCharsMax).nullable().describe("The card's description."),
    endpoint_url: z
      .string()
      .max(limits.endpointUrlCharsMax)
      .nullable()
      // No format: cards have addresses with letters that RFC 3986 escapes, and they are registered unchanged.
      .describe("The card's JSON-RPC address: an http or https URL, unchanged."),
    capabilities: z
      .array(weightedCapability)
      .max(limits.importedCapabilitiesMax)
      .describe(
        "The card's first skills in order, by normal names: one of weight 3, two of weight 2, three of weight 1.",
      ),
  })
  .meta({ id: 'ImportPreview', description: 'The fields of a registration that a card has.' });
export type ImportPreview = z.infer<typeof importPreview>;

export const importResponse = z
  .object({
    source_url: z.string().describe('Where the card was found.'),
    preview: importPreview,
    missing_fields: z
      .array(z.string())
      .describe('Fields of a registration that the card lacks and the caller has to fill in.'),
    note: z.string().describe('The next steps, and what of the card was left out and why; for people.'),
  })
  .meta({ id: 'ImportResponse', description: 'The registration that a card would become, and what it lacks.' });
export type ImportResponse = z.infer<typeof importResponse>;

export const importAgentRoute = route({
  method: 'POST',
  path: '/import-agent',
  operationId: 'importAgent',
  summary: "Preview a registration from the agent card of an agent's domain",
  description:
    'Reads `/.well-known/agent-card.json`, then `/.well-known/agent.json`, of the domain over https (http only for a private domain that the ' +
    'operator permits), in A2A 0.2, 0.3 and 1.0. Nothing is stored: register with the fields of `preview` and of `missing_fields`; `note` ' +
    `says how. At most ${limits.importRequestsPerMinute} requests a minute for an address.`,
  tag: 'Agents',
  credentials: ['none'],
  closedBy: 'OPEN_REGISTRATION',
  body: importRequest,
  bodyExamples: { domain: { summary: 'A domain', value: { domain_url: 'agents.example.com' } } },
  answers: {
    200: answer('The registration that the card would become. Nothing was stored.', importResponse, {
      source_url: 'https://agents.example.com/.well-known/agent-card.json',
      preview: {
        org_name: 'Acme',
        specialty: 'Quotes freight by road and rail.',
        endpoint_url: 'https://agents.example.com/a2a',
        capabilities: [
          { name: 'freight_quote', weight: 3 },
          { name: 'route_planning', weight: 2 },
        ],
      },
      missing_fields: ['agent_id', 'contact_email'],
      note: 'Nothing was stored. To register this agent:\n1. …',
    }),
  },
  errors: ['invalid_domain', 'domain_not_allowed', 'agent_card_invalid', 'domain_unreachable', 'rate_limited'],
});
