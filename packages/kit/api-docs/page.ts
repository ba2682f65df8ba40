/** The page loads nothing from other hosts, and calls only its own service. Scalar adds its styles at run time. */
export const pageHeaders = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
};

// Relative URLs also work behind a proxy that adds a path prefix.
export const pageHtml = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/scalar.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

/**
 * Turns off everything that would contact Scalar's servers: its fonts, telemetry, assistant and hosted client. Scalar doesn't resolve the
 * relative server URL in the document.
 */
export const pageScript = `Scalar.createApiReference("#reference", {
  url: "openapi.json",
  servers: [{ url: new URL(".", location.href).href.replace(/\\/$/, "") }],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
});
`;
