import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    shareOfInputs: number;
  }
}

/** How many random inputs a test tries: all of them, or a tenth in `npm test` (`vitest.config.ts`). */
export function inputs(all: number): number {
  return Math.ceil(all * inject("shareOfInputs"));
}
