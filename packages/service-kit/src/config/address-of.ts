const defaultPorts: Readonly<Record<string, number>> = {
  nats: 4222,
  tls: 4222,
  ws: 80,
  wss: 443,
  postgres: 5432,
  postgresql: 5432,
};
/** EventStoreDB and KurrentDB, in all their schemes. */
const otherPort = 2113;

/**
 * The servers that a URL names, as `host:port` separated by commas, for messages: without user, password, path and options. Understands lists
 * of servers, such as `nats://a,nats://b` and `esdb://a:2113,b:2113`.
 */
export function addressOf(url: string): string {
  const [, scheme = ''] = /^([a-z]+)/u.exec(url) ?? [];
  const port = defaultPorts[scheme] ?? otherPort;
  const places = url.split(',').map((part) => {
    const place = part
      .trim()
      .replace(/^[a-z+]+:\/\//u, '')
      .replace(/[/?#].*$/su, '')
      .replace(/^.*@/su, '');
    return /:\d+$/u.test(place) ? place : `${place}:${port}`;
  });
  return places.join(', ');
}
