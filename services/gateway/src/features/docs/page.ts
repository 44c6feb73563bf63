/**
 * The page at /docs. Addresses are relative, so that it works behind a prefix too.
 *
 * @param versionOf Names the content of a file: an address with another version is another to a cache.
 */
export function docsPage(
  versionOf: (file: 'swagger-ui-bundle.js' | 'swagger-ui.css' | 'start.js' | 'page.css') => string,
): string {
  const address = (file: Parameters<typeof versionOf>[0]): string => `docs/${file}?v=${versionOf(file)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Trust Registry: interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('page.css')}">
<link rel="alternate" type="application/json" href="openapi.json" title="OpenAPI 3.1">
</head>
<body>
<div id="docs"></div>
<noscript><p class="fallback">These pages are made by a script. The same as OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="${address('swagger-ui-bundle.js')}"></script>
<script src="${address('start.js')}"></script>
</body>
</html>
`;
}
