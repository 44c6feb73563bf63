import type { DescribedEvents } from '../../release-fixture/interface-of.ts';
import { type Definitions, type Schema, schemaBreaks } from './schemas.ts';

const definitionsOf = (schema: Schema): Definitions =>
  Object.fromEntries(
    Object.entries((schema['$defs'] ?? {}) as Record<string, Schema>).map(([name, one]) => [`#/$defs/${name}`, one]),
  );

/**
 * What of released events the present code can no longer read. A later version reads them by its upcaster, which the events of the fixture try; a
 * version that was released takes further optional fields and nothing else.
 */
export function eventBreaks(was: DescribedEvents, now: DescribedEvents): string[] {
  return Object.entries(was).flatMap(([type, released]) => {
    const current = now[type];
    if (current === undefined) return [`${type} is gone`];
    if (current.version < released.version) return [`${type} is back at version ${current.version}`];
    if (current.version > released.version) return [];
    const place = {
      at: type,
      was: definitionsOf(released.schema),
      now: definitionsOf(current.schema),
      compared: new Set<string>(),
    };
    return schemaBreaks(released.schema, current.schema, 'sent', place);
  });
}
