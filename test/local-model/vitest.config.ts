import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/local-model/*.local.ts"], testTimeout: 1_800_000, hookTimeout: 300_000, maxWorkers: 1 },
});
