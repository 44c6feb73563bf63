import type { HomeWire } from '@agent-trust/contracts';
import { aboutRegistry } from '../../about-registry.ts';

/** The addresses of the registry's interfaces. */
export function homeLinks(baseUrl: string): HomeWire['links'] {
  return {
    docs: `${baseUrl}/docs`,
    openapi: `${baseUrl}/openapi.json`,
    registry: `${baseUrl}/registry`,
    agent_card: `${baseUrl}/.well-known/agent-card.json`,
    mcp: `${baseUrl}/mcp-http/mcp`,
    health: `${baseUrl}/health`,
  };
}

/**
 * The page at `/`. Addresses are relative, so that it works behind a prefix.
 * @param style Address of its style sheet.
 * @param hasConsole Whether the console is served.
 */
export function homePageText(style: string, hasConsole: boolean): string {
  const { title, version } = aboutRegistry;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<link rel="alternate" type="application/json" href="./" title="The same as JSON">
</head>
<body>
<main class="home">
<h1>${title} <small>${version}</small></h1>
<p>Software agents that have never met must decide whether to do business with each other. This registry tells them who an
agent is and how far to trust it, from 0 to 100. It finds agents by capability, forwards calls and payments to them, and
lets the caller review what happened; reviews move trust.</p>
<dl>
${hasConsole ? '<dt><a href="console">Console</a></dt><dd>the agents, why their scores are what they are, and what happened, as pages</dd>\n' : ''}<dt><a href="docs">Interface</a></dt><dd>every request, with examples that can be tried out; also as <a href="openapi.json">OpenAPI&nbsp;3.1</a></dd>
<dt><a href="registry">Agents</a></dt><dd>the agents that are registered, as JSON</dd>
<dt><code>POST verify</code></dt><dd>how far an agent can be trusted, without a credential</dd>
<dt><a href=".well-known/agent-card.json">A2A card</a></dt><dd>the registry as an agent</dd>
<dt><code>mcp-http/mcp</code></dt><dd>the MCP server for language models</dd>
<dt><a href="log/checkpoint">Checkpoint</a></dt><dd>the signed head of the event log, by which everything can be verified</dd>
<dt><a href="health">Health</a></dt><dd>the state of the service</dd>
</dl>
</main>
</body>
</html>
`;
}
