import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';

export const importRequest = z
  .object({
    domain_url: text(limits.endpointUrlCharsMax, 1).meta({
      description:
        'A domain, with a port where it has one, or an http or https URL on it; what follows the host is left aside. No user information.',
      examples: ['agents.example.com'],
    }),
  })
  .meta({ id: 'ImportRequest', description: 'Whose card to read.' });

/** What of a card becomes fields of a registration. Each field is null, or the list empty, where the card has nothing that fits. */
export const importPreview = z
  .object({
    org_name: z
      .string()
      .max(limits.orgNameCharsMax)
      .nullable()
      .describe("The card's `provider.organization`. Registering with it takes the organisation's key."),
    specialty: z.string().max(limits.freeTextCharsMax).nullable().describe("The card's description."),
    endpoint_url: z
      .string()
      .max(limits.endpointUrlCharsMax)
      .nullable()
      // Of no format: cards write addresses with letters that a URI of RFC 3986 has to escape, and they are registered as they are.
      .describe('Where the card says that the agent answers JSON-RPC: an http or https URL as it is written there.'),
    capabilities: z
      .array(weightedCapability)
      .max(limits.importedCapabilitiesMax)
      .describe(
        "The card's first skills, in their order: one of weight 3, two of weight 2, three of weight 1, by their names in normal form.",
      ),
  })
  .meta({ id: 'ImportPreview', description: 'What of a card becomes fields of a registration.' });
export type ImportPreview = z.infer<typeof importPreview>;

export const importResponse = z
  .object({
    source_url: z.string().describe('Where the card was found.'),
    preview: importPreview,
    missing_fields: z
      .array(z.string())
      .describe('Fields of a registration that the card cannot tell, or did not, and that the caller has to fill in.'),
    note: z
      .string()
      .describe('What to do next, step by step, and what of the card was left out and why; for a person to read.'),
  })
  .meta({ id: 'ImportResponse', description: 'What a card would become, and what is missing for it.' });
export type ImportResponse = z.infer<typeof importResponse>;

export const importAgentRoute = route({
  method: 'POST',
  path: '/import-agent',
  operationId: 'importAgent',
  summary: "Preview a registration from the agent card of an agent's domain",
  description:
    'Reads `/.well-known/agent-card.json`, then `/.well-known/agent.json`, of the domain, over https; over http only where the domain is a private ' +
    'one that the operator has opened. Cards of A2A 0.2, 0.3 and 1.0 are read. Nothing is stored: register with the fields of `preview` and with ' +
    'those that `missing_fields` names; `note` says how. ' +
    `At most ${limits.importRequestsPerMinute} requests a minute for an address.`,
  tag: 'Agents',
  credentials: ['none'],
  body: importRequest,
  bodyExamples: { domain: { summary: 'A domain', value: { domain_url: 'agents.example.com' } } },
  answers: {
    200: answer('What the card would become. Nothing was stored.', importResponse, {
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
