/** The version of the registry, of its interface and of its telemetry. */
export const registryVersion = '1.0.0';
