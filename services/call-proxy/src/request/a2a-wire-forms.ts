import { createBoundedMap } from '@agent-trust/limits';
import { isSuccess } from '../answer/answer-kind.ts';
import { callProxyLimits } from '../limits.ts';
import type { A2aWireForm } from './outbound-plan.ts';

export type A2aWireForms = {
  formOf(endpointUrl: string): A2aWireForm;
  /** The target has answered a message in this form, and not with an error. */
  confirm(endpointUrl: string, form: A2aWireForm): void;
  /** The target has said that it does not know the other form. That says less: it may know that form, and not the method. */
  suppose(endpointUrl: string, form: A2aWireForm): void;
};

/**
 * Which wire form of A2A each target gets, so that only its first call pays for finding out; `superset` where nothing is known. A confirmed
 * form gives way only to another that is confirmed. What is forgotten costs a target one retry.
 */
export function createA2aWireForms(): A2aWireForms {
  const known = createBoundedMap<string, { form: A2aWireForm; isConfirmed: boolean }>({
    countMax: callProxyLimits.rememberedTargetsMax,
  });
  return {
    formOf: (endpointUrl) => known.get(endpointUrl)?.form ?? 'superset',
    confirm: (endpointUrl, form) => void known.set(endpointUrl, { form, isConfirmed: true }),
    suppose: (endpointUrl, form) => {
      if (known.get(endpointUrl)?.isConfirmed !== true) known.set(endpointUrl, { form, isConfirmed: false });
    },
  };
}

/**
 * What an answer says of the wire form that its message had: that the server knows it (it has done what was asked), that it does not, or
 * nothing, as other errors and demands for payment do.
 *
 * @param body null for server-sent events.
 */
export function formSupport(statusCode: number, body: Uint8Array | null): 'known' | 'unknown' | 'unclear' {
  const isGood = isSuccess(statusCode);
  if (body === null || body.byteLength > callProxyLimits.wireFormErrorBytesMax) return isGood ? 'known' : 'unclear';
  const value = parsed(body);
  if (wantsOtherForm(value)) return 'unknown';
  return isGood && typeof value === 'object' && value !== null && 'result' in value ? 'known' : 'unclear';
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
};

/** JSON-RPC errors by which a server says that it does not know the form it was sent: method not found, version not supported (1.0 §9.5). */
const otherFormErrors: ReadonlySet<unknown> = new Set([-32601, -32009]);

/** True when an answer says that the server wants the message in the other form, 1.0 or what came before. */
export function wantsOtherForm(answer: unknown): boolean {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null;
  return typeof error === 'object' && error !== null && 'code' in error && otherFormErrors.has(error.code);
}
