/** Novels of a writer's own choice, instead of those that ship with Fabula. */
export const REFERENCE_FLAG = {
  type: "string",
  value: "FILE",
  help: "compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula",
} as const;
