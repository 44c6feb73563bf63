import {
  protocolReferenceTool,
  type ReferenceTopic,
  referenceTopics,
  type ToolArguments,
} from '@agent-trust/contracts';
import { parse } from '../../../http/endpoint.ts';
import { callAdvancedFields, paymentFlow } from './calling.ts';
import { ed25519KeySetup, mcpHandshake } from './connecting.ts';
import { capabilityConfirmation, registerAdvancedFields, updateAdvancedFields } from './registering.ts';
import type { Explanation } from './topic.ts';

const explanations = (baseUrl: string): Record<ReferenceTopic, Explanation> => ({
  mcp_handshake: mcpHandshake(baseUrl),
  capability_confirmation: capabilityConfirmation,
  register_advanced_fields: registerAdvancedFields,
  call_advanced_fields: callAdvancedFields,
  update_advanced_fields: updateAdvancedFields,
  ed25519_key_setup: ed25519KeySetup(baseUrl),
  payment_flow: paymentFlow,
});

/** The explanation of a topic; without a topic, or for an unknown one, the list of topics. @throws DomainError validation_failed */
export function explainProtocol(given: ToolArguments, baseUrl: string): Record<string, unknown> {
  const asked = parse('arguments', protocolReferenceTool.input, given)['topic'] as string | null | undefined;
  const all = explanations(baseUrl);
  const topics = referenceTopics.map((topic) => ({ topic, title: all[topic].title }));
  const topic = referenceTopics.find((one) => one === asked);
  if (topic === undefined) {
    return {
      topic: null,
      title: 'What the registry can explain',
      explanation: `${asked == null ? 'Ask' : 'There is no such topic; ask'} with one of these topics for an explanation and a worked example.`,
      placeholders: [],
      steps: [],
      topics,
    };
  }
  const { title, explanation, placeholders, steps } = all[topic];
  return {
    topic,
    title,
    explanation,
    placeholders: Object.entries(placeholders).map(([name, meaning]) => ({ name, meaning })),
    steps: [...steps],
    topics,
  };
}
