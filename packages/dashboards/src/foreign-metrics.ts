/** Metrics that alerts and panels use and that are not the registry's, with their labels. */
export const foreignMetrics: Readonly<Record<string, { of: string; labels: readonly string[] }>> = {
  up: { of: 'Prometheus', labels: [] },
  ALERTS: { of: 'Prometheus', labels: ['alertname', 'alertstate', 'severity'] },
  node_filesystem_avail_bytes: { of: 'node exporter', labels: ['device', 'fstype', 'mountpoint'] },
  node_filesystem_size_bytes: { of: 'node exporter', labels: ['device', 'fstype', 'mountpoint'] },
};

/** The job of prometheus.yml that scrapes node exporter. */
export const nodeJob = 'registry-node';

export function nodeFilesystem(value: 'avail' | 'size'): string {
  return `node_filesystem_${value}_bytes{job="${nodeJob}",fstype!~"tmpfs|overlay|squashfs|iso9660|erofs"}`;
}
