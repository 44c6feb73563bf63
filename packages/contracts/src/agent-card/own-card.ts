import { ofOperators } from '../http/cors.ts';
import type { JsonSchema } from '../http/openapi-schemas.ts';
import type { Route, RouteCredential } from '../http/route.ts';
import { securityRequirement, securitySchemes } from '../http/security-schemes.ts';
import type { AgentCard } from './card-schema.ts';

/** Where the registry answers A2A messages, with directions to what it does. */
export const a2aPath = '/a2a';

/**
 * The agent card of the registry: a skill for each operation of agents and organisations, made from the routes. The registry is used over
 * REST and MCP, which the card's extensions name; its A2A interface only explains that, so the card promises neither tasks nor streams.
 */
export function buildAgentCard(
  routes: readonly Route[],
  about: { baseUrl: string; title: string; version: string; description: string },
): AgentCard {
  const { baseUrl, title, version, description } = about;
  const url = `${baseUrl}${a2aPath}`;
  return {
    name: title,
    description:
      `${description} It is used over REST (${baseUrl}/openapi.json) or MCP (${baseUrl}/mcp-http/mcp); a message sent to it by A2A is ` +
      'answered with directions to both.',
    version,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    // A client takes the first that it knows: both have different forms at the same address.
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    documentationUrl: `${baseUrl}/docs`,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: `${baseUrl}/openapi.json`,
          description: 'The skills are operations of a REST interface, described as OpenAPI 3.1.',
          required: false,
          params: { interface: 'rest', url: baseUrl, openapi: `${baseUrl}/openapi.json`, docs: `${baseUrl}/docs` },
        },
        {
          uri: `${baseUrl}/mcp-http/mcp`,
          description:
            'The same as tools of an MCP server, over streamable HTTP, or server-sent events where a client is older.',
          required: false,
          params: { interface: 'mcp', url: `${baseUrl}/mcp-http/mcp`, sse: `${baseUrl}/mcp/sse` },
        },
      ],
    },
    supportsAuthenticatedExtendedCard: false,
    securitySchemes: Object.fromEntries(
      Object.entries(securitySchemes)
        .filter(([name]) => !(ofOperators as readonly string[]).includes(name))
        .map(([name, scheme]) => [name, inBothSpellings(scheme)]),
    ),
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: routes.filter(isSkill).map(skillOf),
  };
}

/** A scheme in the forms of A2A 0.3 (which is OpenAPI's) and 1.0. */
const inBothSpellings = (scheme: JsonSchema): JsonSchema & { type: string } => {
  const { type, in: location, ...named } = scheme as JsonSchema & { type: string };
  return {
    ...scheme,
    type,
    ...(type === 'http' ? { httpAuthSecurityScheme: named } : { apiKeySecurityScheme: { location, ...named } }),
  };
};

/** Skills are the operations of the registry, without descriptions of itself and without operators' operations. */
const isSkill = (route: Route): boolean => skillTags.has(route.tag) && usable(route).length > 0;
const skillTags: ReadonlySet<string> = new Set([
  'Discover',
  'Agents',
  'Exchange',
  'Settlement',
  'Organisations',
  'Sandbox',
]);

const usable = ({ credentials }: Route): RouteCredential[] =>
  credentials.filter((credential) => !ofOperators.includes(credential));

const skillOf = (route: Route): AgentCard['skills'][number] => {
  const { method, path, operationId, summary, description } = route;
  const credentials = usable(route);
  const security = credentials.map(securityRequirement) as Record<string, string[]>[];
  const places = path.split('/').filter((place) => place !== '' && !place.startsWith('{'));
  return {
    id: operationId,
    name: summary,
    description: `${method} ${path}. ${description ?? `${summary}.`}`,
    tags: [...new Set([route.tag.toLowerCase(), ...places])],
    examples: Object.values(route.bodyExamples ?? {})
      .map(({ value }) => `${method} ${path} ${JSON.stringify(value)}`)
      .concat(`${method} ${path}`)
      .slice(0, 1),
    inputModes: ['application/json'],
    outputModes: ['application/json'],
    ...(credentials.every((credential) => credential === 'none')
      ? {}
      : {
          security,
          securityRequirements: security.map((schemes) => ({
            schemes: Object.fromEntries(Object.entries(schemes).map(([name, list]) => [name, { list }])),
          })),
        }),
  };
};
