import type { OperationsStatus } from '@agent-trust/client';

/** A part that the installation depends on, as GET /ops/status has it. */
export type Part = { name: string; status: string; detail: string | null };

const names = [
  ['database', 'Database of the read models'],
  ['event_log', 'Event log'],
  ['message_bus', 'Message bus'],
  ['jetstream', 'JetStream'],
  ['registry_write', 'Writes'],
  ['projection', 'Read models'],
  ['log_record', 'Log record'],
] as const;

/** The parts in the order in which a fault of one explains those of the next. One that is not asked is left out. */
export function partsOf(health: OperationsStatus['health']): Part[] {
  return names.flatMap(([key, name]) => {
    const part = health[key];
    return part === undefined ? [] : [{ name, status: part.status, detail: part.detail ?? null }];
  });
}

/** The faults that an operator has to know first, in sentences; none if all is well. */
export function faultsOf(status: OperationsStatus): string[] {
  const {
    health,
    services_missing: missing,
    poison_event: poison,
    checkpoint,
    witnesses,
    webhooks,
    instances,
  } = status;
  const ofWitnesses = (contradict: boolean): string[] =>
    (witnesses ?? []).flatMap(({ name, contradicts_log: contradicts, fault }) =>
      fault === null || contradicts !== contradict ? [] : [`The log's witness ${name} ${fault}.`],
    );
  return [
    // Whatever else is wrong can wait.
    ...ofWitnesses(true),
    ...partsOf(health)
      .filter(({ status: state }) => state !== 'ok')
      .map(({ name, status: state, detail }) => `${name}: ${state}${detail === null ? '' : `, ${detail}`}.`),
    ...missing.map((service) => `No instance of ${service} has answered.`),
    ...instances.flatMap(({ service, instance_id: id, fault }) =>
      fault === null ? [] : [`${service} ${id}: ${fault}.`],
    ),
    ...(poison === null ? [] : [`The read models stopped at position ${poison.position}: ${poison.message}.`]),
    ...(checkpoint?.fault == null ? [] : [`No checkpoint can be signed: ${checkpoint.fault}.`]),
    ...(webhooks === null || webhooks.dead_letters === 0
      ? []
      : [`Dead letters of webhooks: ${webhooks.dead_letters}.`]),
    ...ofWitnesses(false),
  ];
}
