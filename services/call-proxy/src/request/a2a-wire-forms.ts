import { createBoundedMap } from '@agent-trust/limits';
import { isSuccess } from '@agent-trust/proxy-kit';
import { callProxyLimits } from '../limits.ts';
import type { A2aWireForm } from './outbound-plan.ts';

export type A2aWireForms = {
  formOf(endpointUrl: string): A2aWireForm;
  /** The target has answered a message in this form without an error. */
  confirm(endpointUrl: string, form: A2aWireForm): void;
  /** The target has refused the other form. That is weaker: it may know that form, but not the method. */
  suppose(endpointUrl: string, form: A2aWireForm): void;
};

/**
 * The wire form of A2A for each target, so that only its first call needs a retry; `superset` if nothing is known. Only a confirmed form replaces a
 * confirmed one. A forgotten form costs one retry.
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

/** Whether an answer shows that the server knows the message's wire form, or that it does not. `body` is null for server-sent events. */
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

/** JSON-RPC errors for an unknown wire form: method not found, version not supported (1.0 §9.5). */
const otherFormErrors: ReadonlySet<unknown> = new Set([-32601, -32009]);

/** Whether an answer asks for the message in the other form. */
export function wantsOtherForm(answer: unknown): boolean {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null;
  return typeof error === 'object' && error !== null && 'code' in error && otherFormErrors.has(error.code);
}
