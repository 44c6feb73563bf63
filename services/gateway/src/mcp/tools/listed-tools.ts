import { inputSchemaOf, outputSchemaOf, tools } from '@agent-trust/contracts';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';

let listed: ListedTool[] | undefined;

/** The tools as MCP lists them, made from the catalogue once. */
export const listedTools = (): ListedTool[] =>
  (listed ??= tools.map(
    (tool) =>
      ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: inputSchemaOf(tool),
        outputSchema: outputSchemaOf(tool),
        annotations: { title: tool.title, ...tool.hints },
      }) as ListedTool,
  ));
