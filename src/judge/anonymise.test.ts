import { describe, expect, it } from "vitest";
import { collectNames, completeNameMap, replaceNames } from "./anonymise.ts";

const character = (from: string, to: string) => ({ from, to, kind: "character" as const });

describe("a map of names", () => {
  it("gives parts their share of the whole and a family one name", () => {
    const map = completeNameMap({
      names: [character("Glenn Holland", "William Thompson"), character("Iris Holland", "Emily Parker")],
    });
    expect(Object.fromEntries(map.map(({ from, to }) => [from, to]))).toEqual({
      "Glenn Holland": "William Thompson",
      "Iris Holland": "Emily Thompson",
      Glenn: "William",
      Iris: "Emily",
      Holland: "Thompson",
    });
  });

  it("lets no new name be one that the book already has", () => {
    expect(completeNameMap({ names: [character("Ines", "Marta"), character("Marta", "Ines")] })).toEqual([]);
  });
});

describe("replacing names", () => {
  const map = completeNameMap({ names: [character("Glenn Holland", "William Thompson"), character("Ann", "Ruth")] });

  it("takes whole names, parts, possessives, plurals and capitals, and nothing inside another word", () => {
    const text =
      "Glenn Holland met Ann. Glenn’s hat, Holland's coat, the Hollands. GLENN HOLLAND! Annual annoyance; Hollandaise.";
    expect(replaceNames(text, map)).toBe(
      "William Thompson met Ruth. William’s hat, Thompson's coat, the Thompsons. WILLIAM THOMPSON! Annual annoyance; Hollandaise.",
    );
  });

  it("takes names broken by a line end and names without spaces around them", () => {
    expect(replaceNames("Glenn\nHolland went.", map)).toBe("William Thompson went.");
    expect(replaceNames("伊内丝说，伊内丝的账簿。", [{ from: "伊内丝", to: "玛尔塔" }])).toBe(
      "玛尔塔说，玛尔塔的账簿。",
    );
  });

  it("never replaces what it has just written", () => {
    const swap = [
      { from: "Anna", to: "Berta" },
      { from: "Berta", to: "Clara" },
    ];
    expect(replaceNames("Anna and Berta", swap)).toBe("Berta and Clara");
  });
});

describe("collecting names", () => {
  it("finds those that stand inside sentences, by how often they do", () => {
    const text =
      "Then Ines saw the Salt Ledger. She asked Ines about Merrow. Nobody in Merrow knew Ines. The ledger was shut by Ines Calder, by Ines Calder alone.";
    expect(collectNames([{ text }])).toEqual([
      { name: "Ines", count: 3 },
      { name: "Ines Calder", count: 2 },
      { name: "Merrow", count: 2 },
    ]);
  });
});
