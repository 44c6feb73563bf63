/** The samplers that OpenTelemetry's environment variables name and that need no server. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type Sampling = {
  /** OTEL_TRACES_SAMPLER; undefined: one trace in a hundred, whole, and without a ratio ten a second at each gateway at most. */
  sampler: (typeof samplerNames)[number] | undefined;
  /** OTEL_TRACES_SAMPLER_ARG, of samplers by ratio: 0 to 1. */
  ratio: number | undefined;
};
