import { outboundLimits } from './limits.ts';
import { isOpened, isOpenedByPort, type OutboundAllow } from './outbound-allow.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';

/**
 * Ports that no outbound request may use, unless an entry of OUTBOUND_ALLOW names the port: those of other protocols, whose servers could be made to
 * act on the text of an HTTP request, and those of infrastructure that trusts every client.
 */
const deniedPorts: ReadonlySet<number> = new Set([
  // The port blocking list of the WHATWG Fetch standard, section 2.9.
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // SMB, rsync, remote desktops (RDP, VNC).
  445, 873, 3389, 5900,
  // SQL Server, Oracle, MySQL, Postgres, CockroachDB, Cassandra, MongoDB, CouchDB, Redis, memcached, EventStoreDB.
  1433, 1521, 3306, 5432, 26257, 9042, 27017, 5984, 6379, 11211, 2113,
  // Elasticsearch and its nodes, Kafka, MQTT, AMQP, NATS with its cluster and its monitoring.
  9200, 9300, 9092, 1883, 5672, 4222, 6222, 8222,
  // ZooKeeper, Consul, etcd and its peers, Docker (also over TLS), Kubernetes API, kubelet (also read only).
  2181, 8500, 2379, 2380, 2375, 2376, 6443, 10250, 10255,
]);

/**
 * Passes if every address of the host may be contacted on the port: the address is public or opened by the allow list, and the port is not denied or
 * is opened by name. One forbidden address refuses them all, because chance, and whoever controls the name, decides which address is used.
 *
 * @returns whether all addresses are public, or one of them is opened.
 * @throws {OutboundError} `not_allowed`; its cause names host and address.
 */
export function checkAddresses(
  allow: OutboundAllow,
  target: { host: string; port: number },
  addresses: readonly string[],
): 'public' | 'opened' {
  const { host, port } = target;
  const refuse = (reason: string, address: string): never => {
    throw new OutboundError('not_allowed', reason, new Error(`${host} port ${port} at ${address}: ${reason}`));
  };
  if (addresses.length === 0) throw new OutboundError('unreachable', 'no_address', new Error(`${host} has no address`));
  if (addresses.length > outboundLimits.addressesPerNameMax)
    refuse('too_many_addresses', `${addresses.length} addresses`);
  let access: 'public' | 'opened' = 'public';
  for (const text of addresses) {
    const address = parseAddress(text);
    if (address === undefined) return refuse('unknown_address', text);
    if (!isPublicAddress(address)) {
      if (!isOpened(allow, host, port, address)) refuse('private_address', text);
      access = 'opened';
    }
    if (deniedPorts.has(port) && !isOpenedByPort(allow, host, port, address)) refuse('denied_port', text);
  }
  return access;
}
