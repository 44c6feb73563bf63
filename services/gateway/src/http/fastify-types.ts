import type { Span } from '@opentelemetry/api';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, on routes that keep them. */
    rawBody: Buffer | null;
    /** Whether the request counts against its route's `atOnceMax`. */
    holdsSlot: boolean;
    /** Only while telemetry is on. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    keepsRawBody?: boolean;
  }
}
