import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  type TraceState,
} from '@opentelemetry/api';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace';

export type FrugalOptions = {
  /** Whether a trace that begins here is recorded, whatever context the request brought. Undefined: the provider's sampler decides. */
  drawn: (() => boolean) | undefined;
  /** Whether a trace that begins here, is not recorded and was named by nobody gets ids: for services that decide by themselves. */
  namesUnrecorded: boolean;
  /** Whether spans below one that is not recorded are not recorded either. */
  followsParent: boolean;
};

/**
 * The provider's tracers for the traces that are recorded. Where one is not, its context is passed on and no span is made: the SDK would make ids, copy
 * attributes and ask its sampler for every span, 3 to 4 µs each, a tenth of an answer from memory, to the same end.
 */
export function frugalTracers(provider: TracerProvider, options: FrugalOptions): TracerProvider {
  return { getTracer: (...scope) => new FrugalTracer(provider.getTracer(...scope), options) };
}

class FrugalTracer implements Tracer {
  readonly #tracer: Tracer;
  readonly #options: FrugalOptions;

  constructor(tracer: Tracer, options: FrugalOptions) {
    this.#tracer = tracer;
    this.#options = options;
  }

  startSpan(name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    const { drawn, namesUnrecorded, followsParent } = this.#options;
    const above = trace.getSpan(parent);
    const received = above?.spanContext();
    const begins = received === undefined || received.isRemote === true;
    if (begins && drawn !== undefined) {
      if (!drawn())
        return received === undefined && !namesUnrecorded
          ? noSpan
          : trace.wrapSpanContext(new UnrecordedContext(received));
    } else if (above !== undefined && followsParent && !isRecorded(received)) return above;
    return this.#tracer.startSpan(name, options, parent);
  }

  startActiveSpan<Work extends (span: Span) => ReturnType<Work>>(
    name: string,
    ...rest: ActiveSpanArguments<Work>
  ): ReturnType<Work> {
    const work = rest.at(-1) as Work;
    const [options, parent] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const within = parent ?? context.active();
    const span = this.startSpan(name, options, within);
    return context.with(trace.setSpan(within, span), work, undefined, span);
  }
}

type ActiveSpanArguments<Work> =
  | [work: Work]
  | [options: SpanOptions, work: Work]
  | [options: SpanOptions, parent: Context, work: Work];

const isRecorded = (of: SpanContext | undefined): boolean => ((of?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const ids = new RandomIdGenerator();

/** Of a trace that is not recorded. It has the ids that came with the request, or, once somebody asks for them, ids of its own. */
class UnrecordedContext implements SpanContext {
  readonly traceFlags = TraceFlags.NONE;
  readonly traceState?: TraceState;
  readonly #received: SpanContext | undefined;
  #traceId: string | undefined;
  #spanId: string | undefined;

  constructor(received: SpanContext | undefined) {
    this.#received = received;
    if (received?.traceState !== undefined) this.traceState = received.traceState;
  }

  get traceId(): string {
    return (this.#traceId ??= this.#received?.traceId ?? ids.generateTraceId());
  }

  get spanId(): string {
    return (this.#spanId ??= this.#received?.spanId ?? ids.generateSpanId());
  }
}
