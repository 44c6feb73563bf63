import { nullableText } from '../text.ts';
import { z } from 'zod';
import { hints, type OwnTool } from './tool.ts';

/** What `protocol_reference` can explain. */
export const referenceTopics = [
  'mcp_handshake',
  'capability_confirmation',
  'register_advanced_fields',
  'call_advanced_fields',
  'update_advanced_fields',
  'ed25519_key_setup',
  'payment_flow',
] as const;
export type ReferenceTopic = (typeof referenceTopics)[number];

const json = z.record(z.string(), z.unknown());

export const referencePlaceholder = z.object({
  name: z.string().describe('The name, written <NAME> in the steps.'),
  meaning: z.string().describe('What to put there, and where it comes from.'),
});

export const referenceStep = z.object({
  title: z.string().describe('What this step does.'),
  kind: z
    .enum(['tool', 'http', 'script'])
    .describe('A tool of this server, a plain HTTP request, or a script to run with Node 20 or newer.'),
  tool: z.string().optional().describe('Name of the tool.'),
  arguments: json.optional().describe('Arguments of the tool.'),
  method: z.string().optional().describe('HTTP method.'),
  url: z.string().optional().describe('Where the request goes.'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers of the request.'),
  body: json.optional().describe('JSON body of the request.'),
  script: z.string().optional().describe('Source of an ES module.'),
  answer: z
    .object({
      is_error: z.boolean().optional().describe('Whether the tool refuses.'),
      status: z.int().optional().describe('HTTP status.'),
      headers: z.record(z.string(), z.string()).optional().describe('Headers of the answer that matter.'),
      body: json.optional().describe('The fields that matter of the answer, or of what the script prints.'),
    })
    .describe('Fields of the answer, among others. A placeholder that appears here first gets its value here.'),
  note: z.string().optional().describe('What to know about this step.'),
});
export type ReferenceStep = z.infer<typeof referenceStep>;

export const protocolReferenceTool: OwnTool = {
  kind: 'own',
  name: 'protocol_reference',
  title: 'Explain a part of the protocol',
  description:
    "Explains one part of the registry's protocol in a few sentences, with a worked example: requests as you would send them and what they answer. Use it before you use a part for the first time, and after a refusal that you do not understand. " +
    `Topics: ${referenceTopics.join(', ')}. Without a topic, or with an unknown one, it lists the topics. Needs no credential.`,
  hints: hints.reads,
  input: z.object({
    topic: z
      .string()
      .nullish()
      .meta({
        description: `One of ${referenceTopics.join(', ')}; nothing for the list of topics.`,
        examples: ['mcp_handshake'],
      }),
  }),
  output: z.object({
    topic: nullableText.describe('The explained topic; null for the list of topics.'),
    title: z.string().describe('What this is about.'),
    explanation: z.string().describe('How it works, in a few sentences.'),
    placeholders: z.array(referencePlaceholder).describe('Placeholders for your own values in the steps.'),
    steps: z.array(referenceStep).describe('The worked example, in order.'),
    topics: z
      .array(
        z.object({
          topic: z.string().describe('The topic.'),
          title: z.string().describe('What it explains.'),
        }),
      )
      .describe('All topics.'),
  }),
  errors: ['validation_failed'],
};
