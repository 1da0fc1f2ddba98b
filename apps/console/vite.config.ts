/** Builds the console into its `dist`. The host serves the page at `/`, the rest below it. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The console is below a stage at a gateway, and below a prefix behind some proxies.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The content policy would need an exception for a small file inside a script or a style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `npm pack` would show the warnings to a user, who cannot act on them.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
