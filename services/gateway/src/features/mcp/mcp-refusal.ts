import { DomainError } from '@agent-trust/contracts';
import { errorAnswer } from '../../http/error-answer.ts';

/** What the transport itself refuses, with the HTTP status and JSON-RPC code that MCP has for it. */
export class McpRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = 'McpRefusal';
    this.status = status;
    this.code = code;
  }
}

/** JSON-RPC 2.0 §5.1, and the codes that servers of MCP use beyond it. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  refused: -32_000,
  sessionNotFound: -32_001,
} as const;

/** Tells the client to begin a session anew, which is what MCP has 404 for. */
export function sessionNotFound(): McpRefusal {
  return new McpRefusal(
    404,
    rpcCodes.sessionNotFound,
    'Session not found: it has ended or never was; initialize again',
  );
}

type McpErrorAnswer = {
  status: number;
  headers: Record<string, string>;
  body: { jsonrpc: '2.0'; id: null; error: { code: number; message: string; data: Record<string, unknown> } };
};

/** The answer to whatever went wrong before a message reached a server: an error of JSON-RPC that belongs to no request. */
export function mcpErrorAnswer(error: unknown, requestId: string): McpErrorAnswer {
  if (error instanceof McpRefusal) {
    return answer(error.status, {}, error.code, error.message, { request_id: requestId });
  }
  const { status, headers, body } = errorAnswer(error, requestId);
  if (error instanceof DomainError && error.code === 'malformed_json') {
    return answer(400, {}, rpcCodes.parseError, 'Parse error: the body must be JSON', { request_id: requestId });
  }
  const message = typeof body.detail === 'string' ? body.detail : 'the request is not valid';
  return answer(status, headers, rpcCodes.refused, message, { code: body.code, request_id: requestId });
}

const answer = (
  status: number,
  headers: Record<string, string>,
  code: number,
  message: string,
  data: Record<string, unknown>,
): McpErrorAnswer => ({ status, headers, body: { jsonrpc: '2.0', id: null, error: { code, message, data } } });
