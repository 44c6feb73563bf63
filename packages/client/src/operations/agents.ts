import { limits } from '../limits.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import type {
  AgentRetired,
  AgentWhoami,
  CapabilityConfirmationRequired,
  RegisterRequest,
  RegisterResponse,
  RotateResponse,
  RotationRequest,
  TrustObject,
  UpdateRequest,
} from '../types.ts';
import { ask, get, post, write } from './ask.ts';

/** Whether a registration or an update was answered with a question about capabilities; nothing was written then. */
export function isConfirmationRequired(answer: object): answer is CapabilityConfirmationRequired {
  return 'status' in answer && answer.status === 'capability_confirmation_required';
}

export function agentOperations(transport: Transport) {
  return {
    /**
     * Registers an agent. Its bearer key comes from `redeemClaim(answer.claim_link)`, or, for an agent with a public_key, from `requestRotation` with
     * its signer. With an organisation's key, the agent belongs to the organisation.
     */
    register: (
      body: RegisterRequest,
      options: WriteOptions = {},
    ): Promise<RegisterResponse | CapabilityConfirmationRequired> =>
      write(transport, { path: '/register', json: body, credentials: ['organisation', 'admin'] }, options),

    /**
     * Requests a new bearer key: with the agent's own signer the answer contains it (`agent_key`) and the old one fails at once; otherwise the answer
     * has a claim link, or says that one was sent by mail. Never sent twice: each new key invalidates the one before.
     */
    requestRotation: (body: RotationRequest, options: RequestOptions = {}): Promise<RotateResponse> =>
      post(
        transport,
        {
          path: '/rotate',
          json: body,
          credentials: ['signature', 'organisation', 'admin', 'agent'],
          actor: body.agent_id,
        },
        options,
      ),

    /** Redeems a claim link, or the token in it, for a bearer key. It works once, and the key is shown once. */
    redeemClaim: async (tokenOrLink: string, options: RequestOptions = {}): Promise<RotateResponse> =>
      ask(
        transport,
        { method: 'GET', path: '/rotate', query: { token: claimToken(tokenOrLink) }, credentials: [], repeat: 'never' },
        options,
      ),

    /** Which agent the key is of. */
    whoami: (options?: RequestOptions): Promise<AgentWhoami> =>
      get(transport, { path: '/whoami', credentials: ['agent'] }, options),

    /**
     * Retires an agent for good: nobody reaches it or acts as it, and its id stays taken. Sent with the agent's own signer, else the organisation's
     * key, else the agent's key, else an operator's key or token. Never sent twice: the agent's own credential is refused once it is retired.
     */
    retire: (agentId: string, options: RequestOptions = {}): Promise<AgentRetired> =>
      post(
        transport,
        {
          path: '/retire',
          json: { agent_id: agentId },
          credentials: ['signature', 'organisation', 'agent', 'admin'],
          actor: agentId,
        },
        options,
      ),

    /**
     * Changes the named fields; null clears one. Sent with the agent's own signer, else the organisation's key, else the agent's key, else an
     * operator's key or token; `as: ['agent', 'organisation']` sends both, which makes the agent the organisation's.
     */
    update: (body: UpdateRequest, options: WriteOptions = {}): Promise<TrustObject | CapabilityConfirmationRequired> =>
      write(
        transport,
        {
          path: '/update',
          json: body,
          credentials: ['signature', 'organisation', 'agent', 'admin'],
          actor: body.agent_id,
        },
        options,
      ),
  };
}

/** @throws TypeError for a link without a token; the message does not show it. */
const claimToken = (tokenOrLink: string): string => {
  if (typeof tokenOrLink !== 'string') throw new TypeError('a claim link or its token is a text');
  const token = URL.canParse(tokenOrLink) ? new URL(tokenOrLink).searchParams.get('token') : tokenOrLink;
  if (token === null || token === '' || token.length > limits.claimTokenCharsMax)
    throw new TypeError('this is neither a claim link nor its token');
  return token;
};
