import { useMemo } from "react";
import { entryKey, recall, remember } from "../../history-memory.ts";
import type { Anchor } from "./anchor.ts";

const NAME = "reader";

/** Where the book was left in this step of the history, so that going back opens it there. */
export function useAnchorMemory(): { readonly initial: Anchor | null; readonly keep: (anchor: Anchor) => void } {
  return useMemo(() => {
    const kept = recall(entryKey(), NAME);
    return {
      initial: isAnchor(kept) ? kept : null,
      keep: (anchor) => remember(entryKey(), NAME, anchor),
    };
  }, []);
}

function isAnchor(value: unknown): value is Anchor {
  const parts = ["chapter", "row", "beyond"] as const;
  return (
    typeof value === "object" &&
    value !== null &&
    parts.every((part) => Number.isFinite((value as Record<string, unknown>)[part]))
  );
}
