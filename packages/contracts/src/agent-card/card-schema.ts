import { z } from 'zod';

const address = (description: string) => z.string().meta({ format: 'uri', description });
const mediaTypes = (description: string) => z.array(z.string()).describe(description);
const said = (description: string) => z.string().describe(description);
const never = (description: string) => z.literal(false).describe(description);

const agentInterface = z.object({
  url: address('Its address.'),
  protocolBinding: z.literal('JSONRPC').describe('The transport.'),
  protocolVersion: said('The line of A2A.'),
});

const agentExtension = z.object({
  uri: address('What the registry is used by: its OpenAPI document, or its MCP server.'),
  description: said('What is there.'),
  required: never('A client need not know it.'),
  params: z.record(z.string(), z.string()).describe('The kind of interface, and its addresses.'),
});

const agentSkill = z.object({
  id: said('The operationId of the OpenAPI document.'),
  name: said('What the operation does, in a few words.'),
  description: said('Method and path, and what there is to know.'),
  tags: z.array(z.string()).min(1).describe('Words to find it by.'),
  examples: z.array(z.string()).min(1).describe('A request: method, path, and the body where it has one.'),
  inputModes: mediaTypes('What the operation takes.'),
  outputModes: mediaTypes('What it answers.'),
  security: z
    .array(z.record(z.string(), z.array(z.string())))
    .optional()
    .describe('The credentials that it takes, each entry enough by itself, as A2A 0.3 writes them.'),
  securityRequirements: z
    .array(
      z.object({
        schemes: z
          .record(z.string(), z.object({ list: z.array(z.string()).describe('Scopes; there are none.') }))
          .describe('Schemes that are needed together.'),
      }),
    )
    .optional()
    .describe('The same, as A2A 1.0 writes them.'),
});

/** The registry's own card: one document for A2A 0.2, 0.3 and 1.0. */
export const agentCard = z
  .object({
    name: said('The name of the service.'),
    description: said('What it is, and how it is used.'),
    version: said('The version of its interface.'),
    protocolVersion: said('The line of A2A that `url` is for.'),
    url: address('Where clients of A2A 0.2 and 0.3 send messages, to get directions.'),
    preferredTransport: z.literal('JSONRPC').describe('The transport of `url`.'),
    supportedInterfaces: z.array(agentInterface).describe('The same for clients of A2A 1.0.'),
    documentationUrl: address('Pages for people.'),
    capabilities: z
      .object({
        streaming: never('Nothing is streamed over A2A.'),
        pushNotifications: never('Nothing is pushed.'),
        stateTransitionHistory: never('There are no tasks.'),
        extendedAgentCard: never('There is no other card.'),
        extensions: z.array(agentExtension).describe('The interfaces by which the registry is used.'),
      })
      .describe('The supported parts of A2A.'),
    supportsAuthenticatedExtendedCard: never('There is no other card.'),
    securitySchemes: z
      .record(z.string(), z.looseObject({ type: said('The kind of the scheme in OpenAPI.') }))
      .describe('Credentials of the skills; each in the form of A2A 0.3 and, in a member, that of 1.0.'),
    defaultInputModes: mediaTypes('Media types of a message.'),
    defaultOutputModes: mediaTypes('Media types of an answer.'),
    skills: z.array(agentSkill).describe('What the registry does for agents and organisations.'),
  })
  .meta({ id: 'AgentCard', description: 'An agent card that A2A 0.2, 0.3 and 1.0 read.' });
export type AgentCard = z.infer<typeof agentCard>;
