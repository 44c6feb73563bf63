import { faultAt, tools } from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { refusal } from './tool-result.ts';

/**
 * Refuses a tool that is not there as a result, as a tool refuses: a model reads results, and of an error of the protocol it may never hear.
 * What it asked for is not repeated.
 */
export function unknownTool(requestId: string): CallToolResult {
  return refusal(
    faultAt(
      'validation_failed',
      ['name'],
      `there is no such tool; there are ${tools.map(({ name }) => name).join(', ')}`,
    ),
    requestId,
  );
}
