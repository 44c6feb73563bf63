import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A process of a service, and the port at which it serves its metrics. */
export interface ScrapeTarget {
  readonly name: string;
  readonly service: string;
  readonly port: number;
}

/**
 * Writes the targets in the form that `file_sd_configs` of Prometheus reads, each with its service as `job`. Whoever reads the file finds all of it
 * or the one before. There is no secret in it, so everybody may read it: Prometheus runs as another user.
 */
export function writeScrapeTargets(file: string, targets: readonly ScrapeTarget[]): void {
  const incoming = `${file}.incoming`;
  const groups = targets.map(({ name, service, port }) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { job: service, name },
  }));
  writeFileSync(incoming, `${JSON.stringify(groups, null, 2)}\n`, { mode: 0o644 });
  renameSync(incoming, file);
}

export function removeScrapeTargets(file: string): void {
  rmSync(file, { force: true });
}
