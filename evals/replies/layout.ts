import type { Random } from "../../src/core/random.ts";

/** What a made reply says, whatever it looks like. */
export interface Content {
  readonly random: Random;
  /** Aspect ids in the order of the reply. */
  readonly ids: readonly string[];
  score(id: string): number;
  readonly overall: number;
  critique(): string;
}

/** One way in which a model sets out its reply. */
export interface Layout {
  readonly name: string;
  readonly form: "well-formed" | "sloppy";
  readonly scale: 5 | 100;
  readonly scoresAspects: boolean;
  readonly scoresOverall: boolean;
  /** Judges a few aspects only, as training samples and partial requests do. */
  readonly partial?: boolean;
  write(content: Content): string;
}
