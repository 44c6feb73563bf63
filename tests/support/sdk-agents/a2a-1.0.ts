import { randomUUID } from 'node:crypto';
import { type AgentCard, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import express from 'express';
import { endpointMark, hideHost } from '../ask.ts';
import { orderIn } from './kinded-executor.ts';

const card: AgentCard = {
  name: 'one-zero',
  description: 'Speaks A2A 1.0 and nothing older.',
  version: '1',
  supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
};

const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

const understood = ({ content, filename }: Part): unknown[] => [
  content?.$case ?? 'nothing',
  content?.$case === 'raw' ? Buffer.from(content.value).toString('base64') : content?.value,
  ...(filename === '' ? [] : [filename]),
];

/** Behaves like `kindedExecutor`, with the objects of A2A 1.0; for the text `never` it starts a task and does not end it. */
const executor: AgentExecutor = {
  execute: async ({ userMessage, taskId, contextId, task }, bus) => {
    const message = (value: string): Message => ({
      messageId: randomUUID(),
      contextId,
      taskId: '',
      role: Role.ROLE_AGENT,
      parts: [textPart(value)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    });
    const artifact = {
      artifactId: 'result',
      name: '',
      description: '',
      parts: [textPart('the result')],
      metadata: undefined,
      extensions: [],
    };
    const taskIn = (state: TaskState): Task => ({
      id: taskId,
      contextId,
      status: { state, message: undefined, timestamp: undefined },
      artifacts: state === TaskState.TASK_STATE_COMPLETED ? [artifact] : [],
      history: [],
      metadata: undefined,
    });
    const publishState = (state: TaskState, words: string): void =>
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: { state, message: message(words), timestamp: undefined },
          metadata: undefined,
        }),
      );

    const texts = userMessage.parts.map(({ content }) => ({
      text: content?.$case === 'text' ? content.value : undefined,
    }));
    switch (orderIn(texts)) {
      case 'task':
        bus.publish(AgentEvent.task(taskIn(TaskState.TASK_STATE_COMPLETED)));
        break;
      case 'ask':
        if (task === undefined) bus.publish(AgentEvent.task(taskIn(TaskState.TASK_STATE_SUBMITTED)));
        publishState(TaskState.TASK_STATE_INPUT_REQUIRED, 'input-required');
        break;
      case 'more':
        publishState(TaskState.TASK_STATE_COMPLETED, 'completed');
        break;
      case 'steps':
        bus.publish(AgentEvent.task(taskIn(TaskState.TASK_STATE_SUBMITTED)));
        publishState(TaskState.TASK_STATE_WORKING, 'working');
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact,
            append: false,
            lastChunk: true,
            metadata: undefined,
          }),
        );
        publishState(TaskState.TASK_STATE_COMPLETED, 'completed');
        break;
      case 'never':
        bus.publish(AgentEvent.task(taskIn(TaskState.TASK_STATE_SUBMITTED)));
        return new Promise<never>(() => undefined);
      case 'fail':
        throw new Error('out of paper');
      default:
        bus.publish(AgentEvent.message(message(JSON.stringify(userMessage.parts.map(understood)))));
    }
    bus.finished();
  },
  cancelTask: async () => undefined,
};

/** An agent built with the A2A SDK's 1.0 line, which supports no older version. */
export async function startA2a10Agent(): Promise<RunningAgent> {
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const app = express();
  app.use(`/${endpointMark}`, jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const agent = await listen(app, `/${endpointMark}`);
  hideHost(agent.url);
  return agent;
}
