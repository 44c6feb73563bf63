/** Headers of one hop, not of the message (RFC 9110, section 7.6.1); names in lower case. A Connection header may name more. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
