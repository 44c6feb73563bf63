import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  MoveAgentRequest,
  MoveAgentResponse,
  PreviewMatchRequest,
  PreviewMatchResponse,
  PromoteRequest,
  PromoteResponse,
} from '../types.ts';
import { ask } from './ask.ts';

/** All with the organisation's sandbox key. */
export function sandboxOperations(transport: Transport) {
  const post = <Body>(
    path: string,
    json: unknown,
    options: RequestOptions,
    repeat: 'always' | 'never' = 'never',
  ): Promise<Body> => ask(transport, { method: 'POST', path, json, credentials: ['organisation'], repeat }, options);
  return {
    /** Moves a sandbox agent into production. */
    publish: (body: MoveAgentRequest, options: RequestOptions = {}): Promise<MoveAgentResponse> =>
      post('/sandbox/publish', body, options),

    /** Moves a live agent into its organisation's sandbox. */
    withdraw: (body: MoveAgentRequest, options: RequestOptions = {}): Promise<MoveAgentResponse> =>
      post('/sandbox/withdraw', body, options),

    /** Copies the configuration of a clone to its live agent. */
    promote: (body: PromoteRequest, options: RequestOptions = {}): Promise<PromoteResponse> =>
      post('/sandbox/promote', body, options),

    /** How a draft would rank if it were live. Nothing is written. */
    previewMatch: (body: PreviewMatchRequest, options: RequestOptions = {}): Promise<PreviewMatchResponse> =>
      post('/sandbox/preview_match', body, options, 'always'),
  };
}
