import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { registryVersion } from '../version.ts';
import type { TelemetryOptions } from './start-telemetry.ts';

/** What all telemetry of this process says of its origin. */
export function resourceOf({ service, instanceId }: Pick<TelemetryOptions, 'service' | 'instanceId'>): Resource {
  return resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'agent-trust-registry',
    'service.version': registryVersion,
    'service.instance.id': instanceId,
  });
}
