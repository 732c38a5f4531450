import { PART_SEPARATOR } from "../book.ts";
import type { Recognition } from "./recognition.ts";

/** The parts, books and volumes a chapter stands in, outermost first. */
export class DivisionStack {
  private readonly open: { readonly title: string; readonly key: string; readonly level: number }[] = [];

  /**
   * A division closes those of its own kind and what they hold: a new PART ends the BOOKs of the last one. Gives the path of
   * what it stands in.
   */
  enter(title: string, { level, recognition }: { level: number; recognition: Recognition | null }): string | null {
    // Titles alone, such as the stories of a collection, are all of one kind.
    const key = recognition?.series ?? "";
    const same = this.open.findIndex((division) =>
      key === "" && level > 0 && division.level > 0
        ? division.level >= level
        : division.key === key || (level > 0 && division.level >= level),
    );
    if (same >= 0) this.open.length = same;
    const outer = this.path();
    this.open.push({ title, key, level });
    return outer;
  }

  path(): string | null {
    return this.open.length === 0 ? null : this.open.map(({ title }) => title).join(PART_SEPARATOR);
  }
}
