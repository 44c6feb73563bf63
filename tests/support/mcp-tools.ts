import { mcpClient, type McpTransport, type ToolAnswer } from './mcp-clients.ts';
import { type HeaderMap } from './ask.ts';

export type Args = Record<string, unknown>;
export type ToolClient = {
  /** Calls a tool. The client checks the structured content against the tool's output schema; this function compares it with the text. */
  tool: (name: string, args?: Args, progress?: (message: string) => void) => Promise<ToolAnswer>;
  end: () => Promise<void>;
};

/** The official client, after it has listed the tools and their schemas. */
export async function toolClient(headers: HeaderMap = {}, transport?: McpTransport): Promise<ToolClient> {
  const { client, end } = await mcpClient(headers, transport);
  // Listing the tools makes the client validate later answers against their schemas.
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
        throw new Error(`${name}: text and structured content differ: ${text?.text ?? ''}`);
      return { isError: isError === true, body: structuredContent };
    },
  };
}

/** The body of a successful answer. */
export function done({ isError, body }: ToolAnswer): Args {
  if (isError) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
}

/** The error code of a refusal. */
export function refusedWith({ isError, body }: ToolAnswer): unknown {
  if (!isError) throw new Error(`not refused: ${JSON.stringify(body)}`);
  if (typeof body['request_id'] !== 'string') throw new Error(`no request_id: ${JSON.stringify(body)}`);
  return body['code'];
}

/** The locations of the faults that a refusal reports. */
export function placesOf({ body }: ToolAnswer): string[] {
  return (body['detail'] as { loc: (string | number)[] }[]).map(({ loc }) => loc.join('.'));
}
