import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/bert-score/*.local.ts"], testTimeout: 600_000, hookTimeout: 300_000, maxWorkers: 1 },
});
