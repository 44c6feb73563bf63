type Listener = { on: () => void; off: () => void };

/** Whether this process has telemetry now. Everything that `preload.ts` replaces looks here. */
export const telemetry = { isOn: true };
const listeners: Listener[] = [];

/** For what costs something by running, as a timer does, and not by being called. */
export function whenSwitched(listener: Listener): void {
  listeners.push(listener);
}

export function switchTelemetry(isOn: boolean): void {
  if (telemetry.isOn === isOn) return;
  telemetry.isOn = isOn;
  for (const { on, off } of listeners) (isOn ? on : off)();
}

type Method = (...given: never[]) => unknown;

/** A method of a prototype, to be called on an instance by whatever replaces it. */
export function methodOf<Of extends object, Name extends keyof Of>(
  prototype: Of,
  name: Name,
): Of[Name] extends Method ? (this: Of, ...given: Parameters<Of[Name]>) => ReturnType<Of[Name]> : never {
  return Reflect.get(prototype, name) as ReturnType<typeof methodOf<Of, Name>>;
}
