import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventIdOfCommand } from './command-event-id.ts';

const commandId = '7b0c2f2e-6a2e-4d8e-9a53-0f6a3c1d9e11';

test('is a UUID determined by command, stream and index alone', () => {
  const id = eventIdOfCommand(commandId, 'agent-a', 0);
  expect(z.uuid().parse(id)).toBe(id);
  expect(eventIdOfCommand(commandId, 'agent-a', 0)).toBe(id);
  const others = [
    eventIdOfCommand(commandId, 'agent-a', 1),
    eventIdOfCommand(commandId, 'agent-a1', 0),
    eventIdOfCommand(commandId.replace('7', '8'), 'agent-a', 0),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});

test('never changes: released logs depend on it', () => {
  expect(eventIdOfCommand(commandId, 'agent-a', 0)).toMatchInlineSnapshot(`"3fe24708-3b7a-8fcf-b215-d82cce11365a"`);
});
