import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..', '..');
const dayMs = 86_400_000;

/** The programs of services, of which registry-write sees a clock that `setDaysAgo` sets back: a proof of a domain lapses after weeks. */
export type ShiftedServices = {
  serviceFile: (service: string) => string;
  setDaysAgo: (days: number) => void;
  remove: () => void;
};

export function shiftedServices(): ShiftedServices {
  const folder = mkdtempSync(join(tmpdir(), 'shifted-clock-'));
  const clockFile = join(folder, 'behind-ms');
  const programOf = (service: string): string => join(root, 'services', service, 'src', 'main.ts');
  const setDaysAgo = (days: number): void => writeFileSync(clockFile, String(days * dayMs));
  setDaysAgo(0);
  const wrapper = join(folder, 'registry-write.mjs');
  writeFileSync(
    wrapper,
    `import { readFileSync } from 'node:fs';
const RealDate = Date;
const now = () => RealDate.now() - Number(readFileSync(${JSON.stringify(clockFile)}, 'utf8'));
globalThis.Date = class extends RealDate {
  constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
  static now() { return now(); }
};
await import(${JSON.stringify(pathToFileURL(programOf('registry-write')).href)});
`,
  );
  return {
    serviceFile: (service) => (service === 'registry-write' ? wrapper : programOf(service)),
    setDaysAgo,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
