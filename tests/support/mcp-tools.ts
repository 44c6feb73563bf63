import { mcpClient, type McpTransport, type ToolAnswer } from './mcp-clients.ts';
import { type HeaderMap } from './ask.ts';

export type Args = Record<string, unknown>;
export type ToolClient = {
  /** Calls a tool; the client holds what is structured to the tool's output schema, and text and structure are held to be the same. */
  tool: (name: string, args?: Args, progress?: (message: string) => void) => Promise<ToolAnswer>;
  end: () => Promise<void>;
};

/** The official client, that knows the tools' schemas. */
export async function toolClient(headers: HeaderMap = {}, transport?: McpTransport): Promise<ToolClient> {
  const { client, end } = await mcpClient(headers, transport);
  // The client holds answers to the schemas that it has been told.
  await client.listTools();
  return {
    end,
    tool: async (name, args = {}, progress) => {
      const result = await client.callTool(
        { name, arguments: args },
        undefined,
        progress === undefined ? {} : { onprogress: ({ message }) => progress(message ?? '') },
      );
      const { content, structuredContent, isError } = result as {
        content: { type: string; text: string }[];
        structuredContent: Args;
        isError?: boolean;
      };
      const [text, ...others] = content;
      if (others.length > 0 || text?.text !== JSON.stringify(structuredContent))
        throw new Error(`${name}: the text is not what is structured: ${text?.text ?? ''}`);
      return { isError: isError === true, body: structuredContent };
    },
  };
}

/** A good answer's body. */
export function done({ isError, body }: ToolAnswer): Args {
  if (isError) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
}

/** A refusal's code. */
export function refusedWith({ isError, body }: ToolAnswer): unknown {
  if (!isError) throw new Error(`not refused: ${JSON.stringify(body)}`);
  if (typeof body['request_id'] !== 'string') throw new Error(`no request_id: ${JSON.stringify(body)}`);
  return body['code'];
}

/** Where a refusal says that the faults lie. */
export function placesOf({ body }: ToolAnswer): string[] {
  return (body['detail'] as { loc: (string | number)[] }[]).map(({ loc }) => loc.join('.'));
}
