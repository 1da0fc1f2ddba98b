/** Builds the console into `web/dist`. The host serves its page at `/` and the rest below it. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // It lies below a stage at a gateway, and below a prefix behind some proxies.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // A small file inside a script or a style would need an exception from the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `npm pack` would show them to a user, who cannot act on them.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
