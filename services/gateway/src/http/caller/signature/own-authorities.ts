/**
 * The hosts by which a gateway is meant: those of BASE_URL and of the address that it listens on. Host is the sender's own word, so
 * that covering @authority only binds a request to this registry where the host is held to these: else a request that an agent
 * signed for somebody else, who passes it on with its Host, would be good here.
 */
export function ownAuthorities(baseUrl: string, address: string): ReadonlySet<string> {
  const hosts = [baseUrl, address].map((url) => new URL(url).host);
  // On loopback the name is as good as the addresses.
  const loopback = hosts.flatMap((host) => {
    const port = /^(?:127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/u.exec(host);
    return port === null ? [] : ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}${port[1] ?? ''}`);
  });
  return new Set([...hosts, ...loopback]);
}
