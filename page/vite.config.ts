import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  publicDir: false,
  // Always a production build: a test runner sets NODE_ENV=test, which would include React's slow development code.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  oxc: { jsx: { runtime: "automatic", development: false } },
  build: {
    outDir: fileURLToPath(new URL("../dist/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // The content security policy lets nothing inline through, data: addresses of small files included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "bundled-licenses.md" },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        // What most views share travels with the first page instead of in a dozen tiny files; what only the Lab uses does not.
        codeSplitting: {
          groups: [{ name: "shared", test: /page[\\/](parts|api)[\\/](?!action|empty-state|maximum-cost)/ }],
        },
      },
    },
  },
});
