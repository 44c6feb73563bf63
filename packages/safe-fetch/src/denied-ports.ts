/**
 * Ports that no outbound request may use: those of other protocols, whose servers could be made to act on the text of an HTTP request, and those of
 * infrastructure that trusts every client. An entry of OUTBOUND_ALLOW that names such a port opens it for its targets.
 */
export function isDeniedPort(port: number): boolean {
  return badPorts.has(port) || infrastructurePorts.has(port);
}

/** The port blocking list of the WHATWG Fetch standard, section 2.9. */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const infrastructurePorts: ReadonlySet<number> = new Set([
  445, // SMB
  873, // rsync
  1433, // SQL Server
  1521, // Oracle
  1883, // MQTT
  2113, // EventStoreDB
  2181, // ZooKeeper
  2375, // Docker
  2376, // Docker over TLS
  2379, // etcd
  2380, // etcd peers
  3306, // MySQL
  3389, // RDP
  4222, // NATS
  5432, // Postgres
  5672, // AMQP
  5900, // VNC
  5984, // CouchDB
  6222, // NATS cluster
  6379, // Redis
  6443, // Kubernetes API
  8222, // NATS monitoring
  8500, // Consul
  9042, // Cassandra
  9092, // Kafka
  9200, // Elasticsearch
  9300, // Elasticsearch nodes
  10250, // kubelet
  10255, // kubelet, read only
  11211, // memcached
  26257, // CockroachDB
  27017, // MongoDB
]);
