import { expect, it } from "vitest";
import type { SiteData } from "./site-data.ts";
import { samplesPage } from "./text-pages.ts";

it("a sample scored by judges with different rubrics has each judge's scores under its own dimensions", () => {
  const judges = [
    { judge: "ann", names: ["Plot", "Style"] },
    { judge: "bob", names: ["Plot", "Style"] },
    { judge: "grader", names: ["Coherent", "Purple prose", "Amateurish"] },
  ];
  const scores = judges.map(({ judge, names }, index) => ({ judge, scores: names.map(() => index + 1) }));
  const data = {
    title: "Board",
    language: "en",
    date: "2026-01-01",
    version: "1",
    judges,
    samples: [{ writer: "ada", novel: "Rain", chapter: 1, text: "It rained.", scores }],
  } as unknown as SiteData;
  const tables = samplesPage(data).match(/<table>.*?<\/table>/gs) ?? [];
  const cells = tables.map((table) =>
    [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
    ),
  );
  expect(cells).toEqual([
    [
      ["Judges", "Plot", "Style"],
      ["ann", "1.0", "1.0"],
      ["bob", "2.0", "2.0"],
    ],
    [
      ["Judges", "Coherent", "Purple prose", "Amateurish"],
      ["grader", "3.0", "3.0", "3.0"],
    ],
  ]);
});
