import { describe, expect, it } from "vitest";
import { compareTexts } from "./revisions.ts";

const WELL =
  "The well stood at the end of the lane, and nobody had drawn water there since the summer of the long drought.";
const MARA =
  "Mara carried the lamp down to the harbour and counted the boats, one by one, until the last of them was in.";
const DOOR = "He knocked twice at the door of the customs house and waited for a voice that he knew would not come.";
const RAIN = "It rained.";
const chapter = (index: number, ...paragraphs: string[]) => ({ index, text: paragraphs.join("\n\n") });

describe("two drafts of a text", () => {
  it("are the same when only white space differs", () => {
    const { paragraphs, changes } = compareTexts([chapter(1, WELL, MARA)], [chapter(1, WELL.replace(" ", "\n"), MARA)]);
    expect(changes).toEqual([]);
    expect(paragraphs).toEqual({ same: 2, added: 0, removed: 0, moved: 0, rewritten: 0 });
  });

  it("show a rewritten paragraph word by word, with its places in both", () => {
    const later = MARA.replace("carried the lamp", "took a lantern");
    const { changes } = compareTexts([chapter(1, WELL, MARA, DOOR)], [chapter(3, WELL, later, DOOR)]);
    expect(changes).toHaveLength(1);
    const [change] = changes;
    expect(change).toMatchObject({ kind: "rewritten", before: { chapter: 1 }, after: { chapter: 3 } });
    expect(change!.runs).toEqual([
      { kind: "same", text: "Mara " },
      { kind: "removed", text: "carried the lamp" },
      { kind: "added", text: "took a lantern" },
      { kind: "same", text: MARA.slice("Mara carried the lamp".length) },
    ]);
    const start = WELL.length + 2;
    expect(change!.after).toEqual({ chapter: 3, start, end: start + later.length });
  });

  it("show what was added and removed in its place, and count the words", () => {
    const { changes, words } = compareTexts([chapter(1, WELL, RAIN, MARA)], [chapter(1, WELL, MARA, DOOR)]);
    expect(changes.map(({ kind }) => kind)).toEqual(["removed", "added"]);
    expect(changes[0]!.runs).toEqual([{ kind: "removed", text: RAIN }]);
    expect(words).toEqual({ added: DOOR.split(" ").length, removed: 2 });
  });

  it("recognise a paragraph that moved to another chapter, rewritten or not", () => {
    const moved = compareTexts([chapter(1, WELL, MARA), chapter(2, DOOR)], [chapter(1, MARA), chapter(2, DOOR, WELL)]);
    expect(moved.changes).toMatchObject([
      { kind: "moved", before: { chapter: 1 }, after: { chapter: 2 }, runs: [{ kind: "same", text: WELL }] },
    ]);
    const later = WELL.replace("nobody", "not a soul");
    const changed = compareTexts(
      [chapter(1, WELL, MARA), chapter(2, DOOR)],
      [chapter(1, MARA), chapter(2, DOOR, later)],
    );
    expect(changed.changes).toMatchObject([{ kind: "moved" }]);
    expect(changed.changes[0]!.runs).toContainEqual({ kind: "added", text: "not a soul" });
  });

  it("do not treat a short line that occurs often as moved", () => {
    const { changes } = compareTexts([chapter(1, RAIN, WELL, RAIN, MARA)], [chapter(1, WELL, RAIN, MARA, RAIN)]);
    expect(changes.map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });

  it("are compared in Chinese by words too", () => {
    const { changes } = compareTexts(
      [chapter(1, "林黛玉走进花园，看见满地落花。")],
      [chapter(1, "林黛玉走进花园，看见满地白雪。")],
    );
    expect(changes[0]!.kind).toBe("rewritten");
    expect(
      changes[0]!.runs
        .filter(({ kind }) => kind === "same")
        .map(({ text }) => text)
        .join(""),
    ).toContain("林黛玉走进花园");
  });

  it("of a whole novel pair every second paragraph with what it became", () => {
    const paragraphs = Array.from({ length: 3000 }, (_, at) => `${MARA} ${at} ${at * 7}.`);
    const later = paragraphs.map((text, at) => (at % 2 === 0 ? text : text.replace("lamp", `lamp ${at}`)));
    const { paragraphs: counted } = compareTexts([chapter(1, ...paragraphs)], [chapter(1, ...later)]);
    expect(counted).toEqual({ same: 1500, added: 0, removed: 0, moved: 0, rewritten: 1500 });
  });
});
