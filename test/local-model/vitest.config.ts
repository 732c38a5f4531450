import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/local-model/*.local.ts"], testTimeout: 900_000, hookTimeout: 300_000, maxWorkers: 1 },
});
