import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { loadForecaster } from "../../forecast/load-forecaster.ts";
import { type ForecastLine, forecastFile, forecastLines } from "./forecast-books.ts";

const forecast = loadForecaster();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "forecast-books-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function saved(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function lines(...rows: unknown[]): Promise<ForecastLine[]> {
  const path = await saved("books.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
  const out: ForecastLine[] = [];
  for await (const line of forecastLines(path, forecast, () => {}, new AbortController().signal)) out.push(line);
  return out;
}

describe("forecasts of many books", () => {
  it("give one line for each, in order, and say why where there is none", async () => {
    const result = await lines(
      {
        id: "whole",
        title: "A Winter Wedding",
        genres: ["Romance"],
        premise: "She returns to her home town.",
        words: 90_000,
      },
      { id: "nothing" },
      { id: 3, words: "many" },
      { id: "chinese", plot_summary: "一个关于灯塔看守人的故事，他必须在暴风雨之夜做出选择。" },
      { genres: "Fantasy, Romance" },
    );
    expect(result.map(({ id }) => id)).toEqual(["whole", "nothing", 3, "chinese", 5]);
    expect(result[0]).toMatchObject({ rating: expect.any(Number), interval: [expect.any(Number), expect.any(Number)] });
    expect(result[1]).toMatchObject({ unscored: expect.stringContaining("nothing to go by") });
    expect(result[2]).toMatchObject({ unscored: expect.stringContaining("words") });
    expect(result[3]).toMatchObject({ unscored: expect.stringContaining("English") });
    expect(result[4]).toMatchObject({ fields: ["genres"] });
  });

  it("stop at a line that is no JSON and name it", async () => {
    const path = await saved("broken.jsonl", '{"id":1,"genres":["Horror"]}\n{oops\n');
    const bookFields = async () => {
      for await (const _ of forecastLines(path, forecast, () => {}, new AbortController().signal));
    };
    await expect(bookFields()).rejects.toThrow(/Line 2/);
  });
});

describe("the forecast of a file", () => {
  it("reads an outline, a manuscript and JSON each as what it is", async () => {
    expect((await forecastFile(assetPath("examples", "outline.md"), forecast)).readAs).toBe("outline");
    const story = await forecastFile(assetPath("examples", "the-inspector-of-weights.md"), forecast);
    expect(story.readAs).toBe("book");
    expect(story.forecast).toMatchObject({ kind: "forecast", fields: expect.arrayContaining(["words"]) });
    const json = await saved(
      "book.json",
      JSON.stringify({ title: "Home", genres: ["Horror"], characters: [{ name: "Ann" }] }),
    );
    expect(await forecastFile(json, forecast)).toMatchObject({ readAs: "json", forecast: { kind: "forecast" } });
  });

  it("reads prose as a book, whatever it labels, unless it is told that the file is an outline", async () => {
    const prose = "The weights lay on the bench and nobody spoke of them. ".repeat(200);
    const path = await saved("novel.txt", `Genres: Fantasy\n\n## The Plot\n\n${prose}`);
    const { readAs, forecast: found } = await forecastFile(path, forecast);
    expect(readAs).toBe("book");
    if (found.kind === "forecast") expect(found.fields).not.toContain("plot_summary");
    const asked = await forecastFile(path, forecast, "outline");
    expect(asked).toMatchObject({ readAs: "outline", forecast: { fields: ["genres", "plot_summary"] } });
  });

  it("says in one sentence what is wrong with a file", async () => {
    const other = await saved("other.json", '{"colour":"blue"}');
    await expect(forecastFile(other, forecast)).rejects.toThrow(/not a description of a book/);
    await expect(forecastFile(await saved("bad.json", "{"), forecast)).rejects.toThrow(/is not JSON/);
    await expect(forecastFile(join(folder, "none.md"), forecast)).rejects.toThrow(/cannot be read/);
    await expect(forecastFile("books.jsonl", forecast)).rejects.toThrow(/--in books.jsonl/);
  });
});
