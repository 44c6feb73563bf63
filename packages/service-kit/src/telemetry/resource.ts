import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { registryVersion } from '../version.ts';
import type { TelemetryOptions } from './start-telemetry.ts';

/** What all telemetry of this process says of its origin; OTEL_RESOURCE_ATTRIBUTES adds to it, and overrides it. */
export function resourceOf({ service, instanceId }: Pick<TelemetryOptions, 'service' | 'instanceId'>): Resource {
  const own = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'agent-trust-registry',
    'service.version': registryVersion,
    'service.instance.id': instanceId,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
