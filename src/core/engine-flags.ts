/**
 * How V8 runs a command. A book passes through hundreds of functions once: V8 would optimise each after a few milliseconds, which takes
 * a fifth of the processor time of a letter and saves less. So it waits three times as long, and inlines less. Measured with Node 20;
 * a later V8 may not know the flags, and would say so.
 */
export const ENGINE_FLAGS: readonly string[] = process.versions.v8.startsWith("11.")
  ? ["--interrupt-budget=400000", "--max-inlined-bytecode-size-cumulative=200"]
  : [];
