import type { Span } from '@opentelemetry/api';
import type { EarlyPermit } from '../features/call/admit-call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, on routes that keep them. */
    rawBody: Buffer | null;
    /** What a call with a long body holds since before it was read. */
    earlyPermit: EarlyPermit | null;
    /** Only while telemetry is on. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    keepsRawBody?: boolean;
    /** Reads a JSON body in place of JSON.parse; throws for what is no JSON. */
    parsesBody?: ((bytes: Buffer) => unknown) | undefined;
  }
}
