import { randomBytes } from 'node:crypto';
import { pause } from '@agent-trust/limits';
import type { NatsConnection } from '@nats-io/nats-core';
import { decodeJson, encodeJson } from './json.ts';
import { replySubject } from './subjects.ts';

/** What is asked of all instances of all services at once: who is there? Only gateways may ask. */
export const rollCallSubject = 'status.roll-call';
/** In the place of the responder in a roll call's reply subject: each instance puts its own service there. */
const anyService = 'any';
/** Answers that are taken of one roll call: many more than a registry has instances. */
const answersMax = 256;

/** What an instance says of itself. */
export type InstanceState = {
  /** Of several instances of which one does the work: whether it is that one; null where all work alike. */
  role: 'active' | 'standby' | null;
  /** What is wrong with it; null if nothing is. */
  fault: string | null;
  /** Log position of the event that it cannot apply, which `fault` then explains; null if there is none. */
  poisonPosition: string | null;
};
export type InstanceAnswer = InstanceState & {
  instanceId: string;
  version: string;
  startedAt: string;
  recent?: unknown;
};

/** The subject for the answer of `service` to a roll call, or null if the question did not come from a proper one. */
export function rollCallReply(replyTo: string | undefined, service: string): string | null {
  const [prefix, requester, named, instanceId, callId, ...rest] = (replyTo ?? '').split('.');
  if (prefix !== 'reply' || !requester || named !== anyService || !instanceId || !callId || rest.length > 0)
    return null;
  return replySubject(requester, service, instanceId, callId);
}

export function rollCallAnswer(answer: InstanceAnswer): Uint8Array {
  return encodeJson(answer);
}

/** What a roll call may ask for besides: what the instance remembers of the last minutes, which is much more than its state. */
export type RollCallExtra = 'recent';

/** What a roll call asks for besides; null for nothing, and for what this version does not know. */
export function rollCallExtra(data: Uint8Array): RollCallExtra | null {
  return new TextDecoder().decode(data) === 'recent' ? 'recent' : null;
}

export function unremarkable(): InstanceState {
  return { role: null, fault: null, poisonPosition: null };
}

/** One answer: the service by the subject, which its permissions guard, and what the instance says, unchecked. */
export type RollCallAnswer = { service: string; answer: unknown };

/** Asks all instances, and resolves after `waitMs` with the answers so far: nobody knows how many there are. */
export async function callRoll(
  connection: NatsConnection,
  { service, instanceId }: { service: string; instanceId: string },
  waitMs: number,
  extra: RollCallExtra | null,
): Promise<RollCallAnswer[]> {
  const callId = `roll${randomBytes(9).toString('base64url')}`;
  const answers: RollCallAnswer[] = [];
  const subscription = connection.subscribe(replySubject(service, '*', instanceId, callId), {
    max: answersMax,
    callback: (error, message) => {
      if (error !== null) return;
      const [, , responder = ''] = message.subject.split('.');
      try {
        answers.push({ service: responder, answer: decodeJson(message.data) });
      } catch {
        // An answer that is no JSON is none.
      }
    },
  });
  try {
    connection.publish(rollCallSubject, extra ?? undefined, {
      reply: replySubject(service, anyService, instanceId, callId),
    });
    await pause(waitMs);
  } finally {
    if (!connection.isClosed()) subscription.unsubscribe();
  }
  return answers;
}
