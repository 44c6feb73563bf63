/** Run as a worker thread, whose heap has a limit of its own: reads bodies of 9 MiB, with as many members as one may have and with three million. */
import { deepStrictEqual, ok, throws } from 'node:assert/strict';
import { callRequest, limits } from '@agent-trust/contracts';
import { jsonTextOf } from '@agent-trust/json-text';
import { parseCallBody } from '../open-call.ts';

const texts = `[${`"${'x'.repeat(90)}",`.repeat(limits.bodyMembersMax - 10)}0]`;
const lists = `[${'[],'.repeat(3 * 1024 * 1024)}0]`;
const known = { message: {}, caller_agent_id: 'a', agent_id: 'b' };
const inMessage = Buffer.from(`{"message":{"x":${texts}},"caller_agent_id":"a","agent_id":"b"}`);
const ignored = Buffer.from(`{"message":{},"caller_agent_id":"a","agent_id":"b","x":${texts}}`);
// Array buffers don't count against the thread's own limits.
const before = process.memoryUsage().arrayBuffers;
deepStrictEqual(parseCallBody(inMessage), known);
deepStrictEqual(parseCallBody(ignored), known);
const { message } = callRequest.parse(parseCallBody(inMessage));
deepStrictEqual(jsonTextOf(message)?.length, texts.length + '{"x":}'.length);
throws(() => parseCallBody(Buffer.from(`{"message":{"x":${lists}}}`)), { path: ['message', 'x'] });
ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
