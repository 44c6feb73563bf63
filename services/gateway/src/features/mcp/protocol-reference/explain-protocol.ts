import {
  protocolReferenceTool,
  type ReferenceTopic,
  referenceTopics,
  type ToolArguments,
} from '@agent-trust/contracts';
import { parse } from '../../../http/validation.ts';
import { callAdvancedFields } from './call-advanced-fields.ts';
import { capabilityConfirmation } from './capability-confirmation.ts';
import { ed25519KeySetup } from './ed25519-key-setup.ts';
import { mcpHandshake } from './mcp-handshake.ts';
import { paymentFlow } from './payment-flow.ts';
import { registerAdvancedFields } from './register-advanced-fields.ts';
import type { Explanation } from './topic.ts';
import { updateAdvancedFields } from './update-advanced-fields.ts';

const explanations = (baseUrl: string): Record<ReferenceTopic, Explanation> => ({
  mcp_handshake: mcpHandshake(baseUrl),
  capability_confirmation: capabilityConfirmation,
  register_advanced_fields: registerAdvancedFields,
  call_advanced_fields: callAdvancedFields,
  update_advanced_fields: updateAdvancedFields,
  ed25519_key_setup: ed25519KeySetup(baseUrl),
  payment_flow: paymentFlow,
});

const topicOf = (asked: string): ReferenceTopic | undefined => referenceTopics.find((topic) => topic === asked);

/**
 * What the registry says of a topic; of none, or of one that it does not know, what there is.
 *
 * @throws DomainError validation_failed
 */
export function explainProtocol(given: ToolArguments, baseUrl: string): Record<string, unknown> {
  const asked = parse('arguments', protocolReferenceTool.input, given)['topic'] as string | null | undefined;
  const all = explanations(baseUrl);
  const topics = referenceTopics.map((topic) => ({ topic, title: all[topic].title }));
  const topic = topicOf(asked ?? '');
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
