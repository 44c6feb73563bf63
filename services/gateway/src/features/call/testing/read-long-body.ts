/** Run as a worker thread, whose heap has a limit of its own: reads bodies of 9 MiB with three million lists. */
import { deepStrictEqual } from 'node:assert/strict';
import { callRequest } from '@agent-trust/contracts';
import { jsonTextOf } from '@agent-trust/json-text';
import { parse } from '../../../http/endpoint.ts';
import { parseCallBody } from '../open-call.ts';

const lists = `[${'[],'.repeat(3 * 1024 * 1024)}0]`;
const known = { message: {}, caller_agent_id: 'a', agent_id: 'b' };
const inMessage = Buffer.from(`{"message":{"x":${lists}},"caller_agent_id":"a","agent_id":"b"}`);
const ignored = Buffer.from(`{"message":{},"caller_agent_id":"a","agent_id":"b","x":${lists}}`);
deepStrictEqual(parseCallBody(inMessage), known);
deepStrictEqual(parseCallBody(ignored), known);
const { message } = parse('body', callRequest, parseCallBody(inMessage));
deepStrictEqual(jsonTextOf(message)?.length, lists.length + '{"x":}'.length);
