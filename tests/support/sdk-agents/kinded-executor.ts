import { randomUUID } from 'node:crypto';

/** The part of a message that A2A 0.2 and 0.3 share and these agents read. */
type KindedMessage = {
  parts: { kind: string; text?: string; data?: unknown; file?: unknown }[];
};
type KindedContext = { userMessage: KindedMessage; taskId: string; contextId: string; task?: unknown };
type KindedBus = { publish: (event: never) => void; finished: () => void };

/** The command for the agent: the text of the first part. */
export function orderIn(parts: readonly { text?: string | undefined }[]): string {
  return parts[0]?.text ?? '';
}

/**
 * An agent of the A2A lines whose objects carry a `kind` (0.2, 0.3). The text of the first part chooses its behaviour: `task` returns a
 * completed task, `ask` a task that waits for the caller's next message, `steps` reports each step, `fail` fails, and any other message
 * is answered with what the agent understood of each part.
 */
export const kindedExecutor = {
  execute: async ({ userMessage, taskId, contextId, task }: KindedContext, bus: KindedBus): Promise<void> => {
    const publish = bus.publish.bind(bus) as (event: unknown) => void;
    const text = (value: string): unknown => ({ kind: 'text', text: value });
    const message = (value: string): unknown => ({
      kind: 'message',
      role: 'agent',
      messageId: randomUUID(),
      contextId,
      parts: [text(value)],
    });
    const taskIn = (state: string): unknown => ({ kind: 'task', id: taskId, contextId, status: { state } });
    const status = (state: string, final: boolean): unknown => ({
      kind: 'status-update',
      taskId,
      contextId,
      status: { state, message: message(state) },
      final,
    });
    const artifact = { artifactId: 'result', parts: [text('the result')] };

    switch (orderIn(userMessage.parts)) {
      case 'task':
        publish({ kind: 'task', id: taskId, contextId, status: { state: 'completed' }, artifacts: [artifact] });
        break;
      case 'ask':
        if (task === undefined) publish(taskIn('submitted'));
        publish(status('input-required', true));
        break;
      case 'more':
        publish(status('completed', true));
        break;
      case 'steps':
        publish(taskIn('submitted'));
        publish(status('working', false));
        publish({ kind: 'artifact-update', taskId, contextId, artifact });
        publish(status('completed', true));
        break;
      case 'fail':
        throw new Error('out of paper');
      default:
        publish(
          message(
            JSON.stringify(userMessage.parts.map(({ kind, text: words, data, file }) => [kind, words ?? data ?? file])),
          ),
        );
    }
    bus.finished();
  },
  cancelTask: async (): Promise<void> => undefined,
};
