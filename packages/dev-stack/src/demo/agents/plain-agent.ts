import { listen, type RunningAgent } from './running-agent.ts';

/** A plain HTTP endpoint: JSON in, JSON out, no agent protocol. `answer` gets the body of a POST, or the query of a GET. */
export function startPlainAgent(answer: (input: unknown) => { status: number; body: unknown }): Promise<RunningAgent> {
  return listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const query = Object.fromEntries(new URL(request.url ?? '/', 'http://agent').searchParams);
      const isJson = request.headers['content-type']?.startsWith('application/json') === true;
      const { status, body } = answer(request.method === 'GET' ? query : isJson ? JSON.parse(text) : text);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
}
