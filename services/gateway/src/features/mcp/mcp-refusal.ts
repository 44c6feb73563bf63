import { DomainError } from '@agent-trust/contracts';
import { errorAnswer } from '../../http/error-answer.ts';

/** A refusal of the transport itself, with its HTTP status and JSON-RPC code. */
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

/** JSON-RPC 2.0 §5.1, and the codes that MCP servers use beyond it. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  refused: -32_000,
  sessionNotFound: -32_001,
} as const;

export function badRequest(message: string): McpRefusal {
  return new McpRefusal(400, rpcCodes.refused, `Bad Request: ${message}`);
}

export function invalidRequest(message: string): McpRefusal {
  return new McpRefusal(400, rpcCodes.invalidRequest, `Invalid Request: ${message}`);
}

export function invalidParams(message: string): McpRefusal {
  return new McpRefusal(400, rpcCodes.invalidParams, `Invalid params: ${message}`);
}

/** Makes the client open a new session: in MCP that is the meaning of 404. */
export function sessionNotFound(): McpRefusal {
  const message = 'Session not found: it has ended or never was; initialize again';
  return new McpRefusal(404, rpcCodes.sessionNotFound, message);
}

/** The answer to an error before a message reached a server: an error of JSON-RPC that belongs to no request. */
export function mcpErrorAnswer(error: unknown, requestId: string) {
  const { status, headers, code, message, data } = faultOf(error, requestId);
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: { code, message, data: { ...data, request_id: requestId } },
  } as const;
  return { status, headers, body };
}

const faultOf = (error: unknown, requestId: string) => {
  if (error instanceof McpRefusal) {
    const { status, code, message } = error;
    return { status, headers: {}, code, message, data: {} };
  }
  if (error instanceof DomainError && error.code === 'malformed_json') {
    const message = 'Parse error: the body must be JSON';
    return { status: 400, headers: {}, code: rpcCodes.parseError, message, data: {} };
  }
  const beyondBounds =
    error instanceof DomainError && error.code === 'validation_failed' ? error.items?.[0] : undefined;
  if (beyondBounds !== undefined) {
    const { status, code, message } = invalidRequest(`${beyondBounds.loc.join('.')} ${beyondBounds.msg}`);
    return { status, headers: {}, code, message, data: {} };
  }
  const { status, headers, body } = errorAnswer(error, requestId);
  const message = typeof body.detail === 'string' ? body.detail : 'the request is not valid';
  return { status, headers, code: rpcCodes.refused, message, data: { code: body.code } };
};
