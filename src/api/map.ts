import type { ManuscriptMap } from "../prose/map/manuscript-map.ts";
import type { ComparedFigure } from "../prose/reference/reference-novels.ts";

export type { ComparedFigure } from "../prose/reference/reference-novels.ts";
export type { Scene } from "../prose/shape/scenes.ts";
export type { CharacterCorrections } from "../text/corrections/character-and-story.ts";

/**
 * GET /api/books/:id/map → what can be counted in a book, beside published novels. GET and PATCH /api/books/:id/characters:
 * the writer's corrections to its characters, used wherever the book is mapped. GET /api/books/:id/scenes → Scene[]: what is counted
 * between the scene breaks.
 */
export interface BookMapAnswer extends ManuscriptMap {
  readonly reference: { readonly id: string; readonly description: string; readonly novels: number };
  readonly figures: readonly ComparedFigure[];
  /** Each reference novel by its title, with its figures by their ids. */
  readonly novels: readonly { readonly title: string; readonly figures: Readonly<Record<string, number>> }[];
}
