import { DomainError } from '@agent-trust/contracts';

/** A refusal with more to say than its code: fields for the body, headers for the answer. */
export class HttpRefusal extends DomainError {
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(refusal: DomainError, more: { fields?: Record<string, unknown>; headers?: Record<string, string> }) {
    super(refusal.code, refusal.message, {
      ...(refusal.items === undefined ? {} : { items: refusal.items }),
      cause: refusal.cause,
    });
    this.name = 'HttpRefusal';
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }
}
