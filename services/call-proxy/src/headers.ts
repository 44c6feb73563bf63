import { forwardedHeaders, shownHeaders } from '@agent-trust/proxy-kit';
import type { Redaction } from '@agent-trust/x402';

/** The caller's headers for the agent. Payments and the MCP session are sent separately; content headers belong to the planned request. */
export function headersForAgent(headers: Record<string, string>): Record<string, string> {
  return forwardedHeaders(headers, { reserved: ['x-payment', 'mcp-session-id'], prefixes: ['content-'] });
}

export function headersForCaller(headers: Record<string, string>, redaction: Redaction): Record<string, string> {
  return shownHeaders(headers, redaction, ['a2a-extensions', 'a2a-version', 'mcp-protocol-version', 'mcp-session-id']);
}
